package org.panamaverbs.cli.top;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;

/**
 * Puts the newest events of devices, queue pairs and channels together. What is not sampled any more is closed. Any
 * thread.
 */
final class Samples {
    static final String QUEUE_PAIRS = "verbs.QueuePairStatistics";
    static final String CHANNELS = "verbs.ChannelStatistics";
    /** The fields of channels that grow. */
    static final List<String> CHANNEL_COUNTS = List.of("published", "released", "taken", "backPressured");

    static final String DEVICES = "verbs.DeviceStatistics";
    /** An event that is registered when a device is opened, as those above are only when a recording begins. */
    static final String REGISTERED = "verbs.ConnectionSetup";

    // How far apart events of one sampling may be.
    private final Duration slack;
    // Guarded by this.
    private final Map<String, Sample> queuePairs = new TreeMap<>();
    private final Map<String, Sample> channels = new TreeMap<>();
    private final Map<String, Sample> devices = new TreeMap<>();

    /** Creates an empty collection for a sample every {@code period}. */
    Samples(Duration period) {
        slack = period.dividedBy(2);
    }

    synchronized void add(RecordedEvent event) {
        Map<String, Sample> to = switch (event.getEventType().getName()) {
            case DEVICES -> devices;
            case CHANNELS -> channels;
            default -> queuePairs;
        };
        String key = "%s %s %10d"
                .formatted(event.getString("provider"), event.getString("device"), event.getLong("queuePair"));
        Sample last = to.get(key);
        to.put(key, new Sample(event, last == null ? null : last.event()));
    }

    synchronized Snapshot snapshot() {
        return new Snapshot(fresh(devices), fresh(queuePairs), fresh(channels));
    }

    private List<Sample> fresh(Map<String, Sample> all) {
        Instant newest = devices.values().stream()
                .map(Sample::time)
                .max(Comparator.naturalOrder())
                .orElse(Instant.MIN);
        all.values().removeIf(each -> !newest.equals(Instant.MIN) && each.time().isBefore(newest.minus(slack)));
        return List.copyOf(all.values());
    }

    /**
     * A process as of a moment.
     *
     * @param devices its open devices
     * @param queuePairs their open queue pairs, by device and number
     * @param channels the message channels on them
     */
    record Snapshot(List<Sample> devices, List<Sample> queuePairs, List<Sample> channels) {
        /** Tells whether each has a sample before it, so that what happens in a second is known. */
        boolean hasRates() {
            return !devices.isEmpty() && devices.stream().allMatch(each -> each.before() != null);
        }
    }
}
