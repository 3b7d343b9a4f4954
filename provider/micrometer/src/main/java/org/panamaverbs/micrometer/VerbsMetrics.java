package org.panamaverbs.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.Counter;

/**
 * Meters for what an open device counts, each with the tags {@code provider} and {@code device}:
 *
 * <pre>{@code
 * new VerbsMetrics(verbs).bindTo(registry);
 * }</pre>
 *
 * <p>The guide's page {@code watching} has the table of meters: a gauge for each {@link Counter} of devices that is a
 * level, and a function counter for each that is a count. They are read when the registry is: nothing of it is on the
 * data path. A registry keeps the device weakly: once that is collected, gauges are NaN and counters stay. Any thread.
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
        for (Counter each : Counter.ofDevice()) {
            if (!each.meter().isEmpty()) {
                bind(registry, each);
            }
        }
    }

    private void bind(MeterRegistry registry, Counter counter) {
        String unit = counter.unit() == Counter.Unit.BYTES ? BaseUnits.BYTES : null;
        ToDoubleFunction<Verbs> number = open -> open.statistics().value(counter);
        switch (counter.kind()) {
            case LEVEL ->
                Gauge.builder(counter.meter(), verbs, number)
                        .tags(tags)
                        .description(counter.sentence())
                        .baseUnit(unit)
                        .register(registry);
            case COUNT ->
                FunctionCounter.builder(counter.meter(), verbs, number)
                        .tags(tags)
                        .description(counter.sentence())
                        .baseUnit(unit)
                        .register(registry);
        }
    }
}
