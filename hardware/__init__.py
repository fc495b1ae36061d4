"""The shell that touches the world: cameras, speaker, display, commands."""
