package org.panamaverbs.api.flight;

import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
import org.panamaverbs.api.statistics.Counter;
import org.panamaverbs.api.statistics.CounterValues;
import org.panamaverbs.api.statistics.DeviceStatistics;
import org.panamaverbs.api.statistics.QueuePairStatistics;

/**
 * The periodic events {@code verbs.QueuePairStatistics} and {@code verbs.DeviceStatistics}: a field for each counter,
 * in the order of {@link Counter}, so that no class has to be written for them. They are made and asked for only once
 * the recorder has begun, since either begins it. It is loaded only where Flight Recorder is there.
 */
final class Sampling {
    private static final AnnotationElement BYTES = new AnnotationElement(DataAmount.class, DataAmount.BYTES);

    private final EventFactory factory;
    private final List<Counter> counters;

    /** Makes the event {@code name} of {@code texts}, then {@code counters}, then where it is. */
    private Sampling(String name, String description, List<String> texts, List<Counter> counters) {
        this.counters = counters;
        List<ValueDescriptor> fields = new ArrayList<>();
        texts.forEach(each -> fields.add(field(String.class, each)));
        counters.forEach(each -> fields.add(field(each)));
        fields.add(field(String.class, "provider"));
        fields.add(field(String.class, "device"));
        fields.add(field(int.class, "queuePair"));
        fields.add(field(String.class, "peer"));
        factory = EventFactory.create(
                List.of(
                        text(Name.class, name),
                        text(Label.class, label(name.substring("verbs.".length()))),
                        new AnnotationElement(Category.class, new String[] {"Verbs"}),
                        text(Description.class, description),
                        new AnnotationElement(StackTrace.class, false),
                        text(Period.class, "5 s")),
                fields);
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
        Stream<AnnotationElement> unit =
                counter.unit() == Counter.Unit.BYTES ? Stream.of(BYTES) : Stream.<AnnotationElement>empty();
        return new ValueDescriptor(
                long.class, counter.field(), Stream.concat(words, unit).toList());
    }

    /** Returns {@code name}, which is in camel case, in words: {@code Sends Posted}. */
    private static String label(String name) {
        String words = name.replaceAll("(?<=[a-z])(?=[A-Z])", " ");
        return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }

    /** Has {@code samples} asked from the first recording on. */
    static void begin(Samples samples) {
        if (FlightRecorder.isInitialized()) {
            hook(samples);
            return;
        }
        FlightRecorder.addListener(new FlightRecorderListener() {
            @Override
            public void recorderInitialized(FlightRecorder recorder) {
                // What is thrown here leaves the call that begins a recording, which may be of a process in need.
                try {
                    hook(samples);
                } catch (RuntimeException | Error e) {
                    samples.failed(e);
                }
            }
        });
    }

    private static void hook(Samples samples) {
        Sampling queuePairs = new Sampling(
                "verbs.QueuePairStatistics",
                "What a queue pair has counted since it was made.",
                List.of("state", "carrier", "transport"),
                Counter.ofQueuePair());
        Sampling devices = new Sampling(
                "verbs.DeviceStatistics",
                "What an open device has counted since it was opened.",
                List.of(),
                Counter.ofDevice());
        FlightRecorder.addPeriodicEvent(
                queuePairs.type(), () -> samples.queuePairs().forEach(queuePairs::commit));
        FlightRecorder.addPeriodicEvent(devices.type(), () -> samples.devices().forEach(devices::commit));
    }

    private Class<? extends Event> type() {
        return factory.newEvent().getClass();
    }

    private void commit(QueuePairSampled sampled) {
        QueuePairStatistics s = sampled.statistics();
        commit(sampled.place(), s.values(), s.state(), s.carrier(), s.transport());
    }

    private void commit(DeviceStatistics s) {
        commit(new Place(s.provider(), s.device(), 0, ""), s.values());
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
