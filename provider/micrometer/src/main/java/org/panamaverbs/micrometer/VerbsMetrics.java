package org.panamaverbs.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Capabilities;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.statistics.DeviceStatistics;

/**
 * Meters for what an open device counts, each with the tags {@code provider} and {@code device}:
 *
 * <pre>{@code
 * new VerbsMetrics(verbs).bindTo(registry);
 * }</pre>
 *
 * <p>docs/guide/watching.md has the table of meters. They are read when the registry is: nothing of it is on the data
 * path. A registry keeps the device weakly: once that is collected, gauges are NaN and counters stay. Any thread.
 */
public final class VerbsMetrics implements MeterBinder {
    private final Verbs verbs;
    private final Tags tags;

    /**
     * Creates a binder of {@code verbs}.
     *
     * @throws UnsupportedOperationException if the device lacks {@link Capabilities.Feature#STATISTICS}
     */
    public VerbsMetrics(Verbs verbs) {
        this(verbs, Tags.empty());
    }

    /**
     * Creates a binder of {@code verbs} whose meters have {@code more} tags.
     *
     * @throws UnsupportedOperationException if the device lacks {@link Capabilities.Feature#STATISTICS}
     */
    public VerbsMetrics(Verbs verbs, Tags more) {
        String device = verbs.device().name();
        verbs.capabilities().require(Capabilities.Feature.STATISTICS, device);
        this.verbs = verbs;
        tags = more.and("provider", verbs.provider(), "device", device);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        bindConnections(registry);
        bindWork(registry);
        gauge(registry, "verbs.registrations", "registrations that are open", null, DeviceStatistics::registrations);
        gauge(
                registry,
                "verbs.registered",
                "memory that is registered",
                BaseUnits.BYTES,
                DeviceStatistics::registeredBytes);
        counter(
                registry,
                "verbs.loop.slow",
                "passes of the event loop that took longer than 10 ms",
                null,
                DeviceStatistics::slowPasses);
    }

    private void bindConnections(MeterRegistry registry) {
        gauge(registry, "verbs.queuepairs", "queue pairs that are open", null, DeviceStatistics::queuePairs);
        gauge(registry, "verbs.connections", "queue pairs that are connected", null, DeviceStatistics::connections);
        gauge(
                registry,
                "verbs.connections.shared",
                "those of them that shared memory carries",
                null,
                DeviceStatistics::sharedConnections);
        counter(registry, "verbs.setups", "connections set up", null, DeviceStatistics::connectionsMade);
        counter(
                registry,
                "verbs.setups.failed",
                "attempts that came to nothing",
                null,
                DeviceStatistics::connectionsFailed);
        counter(
                registry,
                "verbs.setups.retried",
                "set-ups that went on by another way",
                null,
                DeviceStatistics::setupRetries);
        counter(
                registry,
                "verbs.failures",
                "connections that ended because of an error",
                null,
                DeviceStatistics::failures);
        counter(registry, "verbs.terminates.sent", "Terminates sent", null, DeviceStatistics::terminatesSent);
        counter(
                registry,
                "verbs.terminates.received",
                "Terminates received",
                null,
                DeviceStatistics::terminatesReceived);
        counter(registry, "verbs.stalls", "peers that had stopped", null, DeviceStatistics::stalls);
        counter(registry, "verbs.overruns", "completion queues overrun", null, DeviceStatistics::overruns);
        counter(registry, "verbs.events", "asynchronous events", null, DeviceStatistics::asyncEvents);
    }

    private void bindWork(MeterRegistry registry) {
        counter(registry, "verbs.sends.posted", "sends posted", null, DeviceStatistics::sendsPosted);
        counter(registry, "verbs.sends.completed", "sends done", null, DeviceStatistics::sendsCompleted);
        counter(
                registry,
                "verbs.sends.direct",
                "sends carried out on memory of a peer of this host",
                null,
                DeviceStatistics::sendsDirect);
        counter(registry, "verbs.receives.posted", "receives posted", null, DeviceStatistics::receivesPosted);
        counter(registry, "verbs.receives.completed", "receives done", null, DeviceStatistics::receivesCompleted);
        counter(registry, "verbs.flushed", "requests flushed", null, DeviceStatistics::flushed);
        counter(registry, "verbs.sent", "octets sent", BaseUnits.BYTES, DeviceStatistics::octetsSent);
        counter(registry, "verbs.received", "octets received", BaseUnits.BYTES, DeviceStatistics::octetsReceived);
        counter(registry, "verbs.writes", "calls that sent", null, DeviceStatistics::writes);
        counter(registry, "verbs.reads", "calls that received", null, DeviceStatistics::reads);
        counter(registry, "verbs.polls", "polls of completion queues", null, DeviceStatistics::polls);
        counter(registry, "verbs.polls.empty", "polls that found nothing", null, DeviceStatistics::emptyPolls);
    }

    private void gauge(
            MeterRegistry registry,
            String name,
            String text,
            @Nullable String unit,
            ToDoubleFunction<DeviceStatistics> number) {
        Gauge.builder(name, verbs, open -> number.applyAsDouble(open.statistics()))
                .tags(tags)
                .description(text)
                .baseUnit(unit)
                .register(registry);
    }

    private void counter(
            MeterRegistry registry,
            String name,
            String text,
            @Nullable String unit,
            ToDoubleFunction<DeviceStatistics> number) {
        FunctionCounter.builder(name, verbs, open -> number.applyAsDouble(open.statistics()))
                .tags(tags)
                .description(text)
                .baseUnit(unit)
                .register(registry);
    }
}
