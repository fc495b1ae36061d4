"""The program's counts in Prometheus' text form."""

from collections.abc import Iterable

from prometheus_client import CollectorRegistry, GCCollector, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric, SummaryMetricFamily
from prometheus_client.registry import Collector

from hardware.counts import Counts

ASKED = {
    "dropped_frames": (CounterMetricFamily, "Frames that came while an earlier one was still looked at"),
    "streams": (GaugeMetricFamily, "Pages that follow the table now"),
    "connections": (GaugeMetricFamily, "Open connections to the pages"),
    "mqtt_connected": (GaugeMetricFamily, "1 while the MQTT broker is reached"),
    "mqtt_dropped": (CounterMetricFamily, "Events that never reached the MQTT broker"),
    "mqtt_sent_bytes": (CounterMetricFamily, "Bytes of topics and payloads given to the MQTT broker"),
}


class Metrics(Collector):
    """All numbers of one program, collected when they are asked for; nothing about cards or people is in them."""

    def __init__(self, counts: Counts) -> None:
        self._counts = counts
        self._registry = CollectorRegistry()
        self._registry.register(self)
        ProcessCollector(registry=self._registry)
        GCCollector(registry=self._registry)

    def text(self) -> bytes:
        """The page that Prometheus reads."""
        return generate_latest(self._registry)

    def collect(self) -> Iterable[Metric]:
        """Every family of numbers as it stands now."""
        counts = self._counts
        yield CounterMetricFamily("railbird_frames", "Frames looked at", counts.frames)
        yield CounterMetricFamily("railbird_words", "Phrases to be spoken", counts.words)
        yield _labelled("railbird_alerts", "Alerts raised", "code", counts.alerts)
        yield _labelled("railbird_faults", "Faults of the installation, such as camera-lost", "code", counts.faults)
        yield GaugeMetricFamily("railbird_fault", "1 while such a fault stands", 0 if counts.standing is None else 1)
        yield from self._stages()
        if (age := counts.age()) is not None:
            yield GaugeMetricFamily("railbird_last_frame_age_seconds", "Seconds since a frame was looked at", age)
        for name, (family, text) in ASKED.items():
            if name in counts.asked:
                yield family(f"railbird_{name}", text, counts.number(name))

    def _stages(self) -> Iterable[Metric]:
        total = SummaryMetricFamily("railbird_stage_seconds", "Time of each part of the work", labels=["stage"])
        recent = GaugeMetricFamily("railbird_stage_milliseconds", "The same of late, in milliseconds", labels=["stage"])
        for name, stage in list(self._counts.stages.items()):
            total.add_metric([name], stage.runs, stage.seconds)
            recent.add_metric([name], stage.recent_ms)
        return total, recent


def _labelled(name: str, text: str, label: str, values: dict[str, int]) -> Metric:
    family = CounterMetricFamily(name, text, labels=[label])
    for key, value in list(values.items()):
        family.add_metric([key], value)
    return family
