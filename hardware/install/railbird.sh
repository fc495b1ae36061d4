#!/bin/sh
# The command of the installed service: an administrator's settings are the service's.
[ "$(id -u)" = 0 ] && export XDG_CONFIG_HOME=/etc
exec /opt/railbird/.venv/bin/railbird "$@"
