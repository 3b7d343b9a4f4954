package org.panamaverbs.spi.flight;

import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import jdk.jfr.AnnotationElement;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.EventFactory;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.ValueDescriptor;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.device.Counter;
import org.panamaverbs.api.device.CounterValues;
import org.panamaverbs.api.device.DeviceStatistics;
import org.panamaverbs.api.device.QueuePairStatistics;

/**
 * The periodic events {@code verbs.QueuePairStatistics} and {@code verbs.DeviceStatistics}: a field for each counter,
 * in the order of {@link Counter}, so that no class has to be written for them. They are made and asked for only once
 * the recorder has begun, since either begins it, and taken away by {@link #run}: the recorder outlives whoever loaded
 * this class. It is loaded only where Flight Recorder is there.
 */
final class Sampling implements FlightRecorderListener, Runnable {
    private static final List<Periodic> NONE = List.of();

    // Made once: each makes a class of the JDK's that is never unloaded.
    private static @Nullable EventFactory queuePairType;
    private static @Nullable EventFactory deviceType;

    private final Samples samples;
    // Those that are asked for; null once it has ended.
    private final AtomicReference<@Nullable List<Periodic>> asked = new AtomicReference<>(NONE);

    private Sampling(Samples samples) {
        this.samples = samples;
    }

    /** Has {@code samples} asked from the first recording on, until the answer is run. */
    static Runnable begin(Samples samples) {
        Sampling sampling = new Sampling(samples);
        FlightRecorder.addListener(sampling);
        return sampling;
    }

    @Override
    public void recorderInitialized(FlightRecorder recorder) {
        // What is thrown here leaves the call that begins a recording, which may be of a process in need.
        try {
            Flight.begin();
        } catch (RuntimeException | Error e) {
            samples.failed(e); // the statistics do not need the events
        }
        List<Periodic> made = new ArrayList<>();
        try {
            types();
            made.add(new Periodic(
                    Objects.requireNonNull(queuePairType),
                    Counter.ofQueuePair(),
                    event -> samples.queuePairs().forEach(each -> commit(event, each))));
            made.add(new Periodic(
                    Objects.requireNonNull(deviceType),
                    Counter.ofDevice(),
                    event -> samples.devices().forEach(each -> commit(event, each))));
            if (asked.compareAndSet(NONE, List.copyOf(made))) {
                return;
            }
        } catch (RuntimeException | Error e) {
            samples.failed(e);
        }
        made.forEach(Periodic::end);
    }

    /** Takes the events away. */
    @Override
    public void run() {
        FlightRecorder.removeListener(this);
        List<Periodic> left = asked.getAndSet(null);
        if (left != null) {
            left.forEach(Periodic::end);
        }
    }

    private static synchronized void types() {
        if (queuePairType == null) {
            queuePairType = type(
                    "verbs.QueuePairStatistics",
                    "Counters of a queue pair since it was created.",
                    List.of("state", "carrier", "transport"),
                    Counter.ofQueuePair());
        }
        if (deviceType == null) {
            deviceType = type(
                    "verbs.DeviceStatistics",
                    "Counters of an open device since it was opened.",
                    List.of(),
                    Counter.ofDevice());
        }
    }

    /** Makes the event {@code name} of {@code texts}, then {@code counters}, then where it is. */
    private static EventFactory type(String name, String description, List<String> texts, List<Counter> counters) {
        List<ValueDescriptor> fields = new ArrayList<>();
        texts.forEach(each -> fields.add(field(String.class, each)));
        counters.forEach(each -> fields.add(field(each)));
        fields.add(field(String.class, "provider"));
        fields.add(field(String.class, "device"));
        fields.add(field(int.class, "queuePair"));
        fields.add(field(String.class, "peer"));
        return EventFactory.create(
                List.of(
                        text(Name.class, name),
                        text(Label.class, label(name.substring("verbs.".length()))),
                        new AnnotationElement(Category.class, new String[] {"Verbs"}),
                        text(Description.class, description),
                        new AnnotationElement(StackTrace.class, false),
                        text(Period.class, "5 s")),
                fields);
    }

    private static void commit(Periodic event, QueuePairSampled sampled) {
        QueuePairStatistics s = sampled.statistics();
        event.commit(sampled.place(), s.values(), s.state(), s.carrier(), s.transport());
    }

    private static void commit(Periodic event, DeviceStatistics s) {
        event.commit(new Place(s.provider(), s.device(), 0, ""), s.values());
    }

    /** One event and who asks for it. */
    private static final class Periodic implements Runnable {
        private final EventFactory factory;
        private final List<Counter> counters;
        private final Consumer<Periodic> ask;

        /** Has {@code ask} called for events of {@code factory}, which have {@code counters}. */
        private Periodic(EventFactory factory, List<Counter> counters, Consumer<Periodic> ask) {
            this.factory = factory;
            this.counters = counters;
            this.ask = ask;
            factory.register();
            FlightRecorder.addPeriodicEvent(factory.newEvent().getClass(), this);
        }

        @Override
        public void run() {
            ask.accept(this);
        }

        private void end() {
            FlightRecorder.removePeriodicEvent(this);
            factory.unregister();
        }

        private void commit(Place place, CounterValues values, String... words) {
            Event event = factory.newEvent();
            if (event.shouldCommit()) {
                List<Object> all = new ArrayList<>(Arrays.asList(words));
                counters.forEach(each -> all.add(values.value(each)));
                all.addAll(Arrays.asList(place.provider(), place.device(), place.queuePair(), place.peer()));
                for (int i = 0; i < all.size(); i++) {
                    event.set(i, all.get(i));
                }
                event.commit();
            }
        }
    }

    private static AnnotationElement text(Class<? extends Annotation> type, String text) {
        return new AnnotationElement(type, text);
    }

    private static ValueDescriptor field(Class<?> type, String name) {
        return new ValueDescriptor(type, name, List.of(text(Label.class, label(name))));
    }

    private static ValueDescriptor field(Counter counter) {
        Stream<AnnotationElement> words =
                Stream.of(text(Label.class, label(counter.field())), text(Description.class, counter.sentence()));
        Stream<AnnotationElement> unit = counter.unit() == Counter.Unit.BYTES
                ? Stream.of(new AnnotationElement(DataAmount.class, DataAmount.BYTES))
                : Stream.<AnnotationElement>empty();
        return new ValueDescriptor(
                long.class, counter.field(), Stream.concat(words, unit).toList());
    }

    /** Returns {@code name}, which is in camel case, in words: {@code Sends Posted}. */
    private static String label(String name) {
        String words = name.replaceAll("(?<=[a-z])(?=[A-Z])", " ");
        return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }
}
