package org.panamaverbs.testkit.soak.line;

import org.panamaverbs.api.Carrier;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.device.DeviceAttributes.Entry;
import org.panamaverbs.testkit.soak.ledger.Tally.Count;

/**
 * What lines go by: memory that the processes of this host share, or TCP. Of the provider iwarp alone, which takes the
 * former by itself. Any thread.
 *
 * @param provider the provider's name
 * @param sharedPercent how many of a hundred lines that this side connects may go by shared memory
 */
record Mix(String provider, int sharedPercent) {
    // The least: lines have longer messages, and hundreds of them are to fit into memory.
    private static final String RING_BYTES = "16384";
    private static final int FIBONACCI = 0x9E37_79B9;
    private static final int HALF = 16;
    private static final int PERCENT = 100;

    private boolean isPossible() {
        return provider.equals("iwarp");
    }

    /** Returns how the device is opened for {@code lines} lines. */
    OpenConfig opening(OpenConfig config, int lines) {
        return isPossible()
                ? config.with("shm.ring", RING_BYTES).with("shm.max", Integer.toString(Math.max(1, lines)))
                : config;
    }

    /** Returns how line {@code serial} is connected. */
    ConnectionConfig connecting(ConnectionConfig config, int serial) {
        boolean shared = ((serial * FIBONACCI) >>> HALF) % PERCENT < sharedPercent;
        return shared || !isPossible() ? config : config.with("shm", "off");
    }

    /** Returns why no line of {@code verbs} goes by shared memory; empty if those may that are to. */
    String obstacle(Verbs verbs) {
        if (!isPossible()) {
            return "the provider " + provider + " has none";
        }
        if (sharedPercent == 0) {
            return "it is not wanted";
        }
        return verbs.attributes().device().stream()
                .filter(entry -> entry.name().equals("shm_reason"))
                .map(Entry::value)
                .findFirst()
                .orElse("");
    }

    private static boolean isShared(Connection connection) {
        return connection.carrier() == Carrier.SHARED_MEMORY;
    }

    /** Returns what {@code made} counts as. */
    static Count count(Connection made) {
        return isShared(made) ? Count.BY_SHARED_MEMORY : Count.BY_NETWORK;
    }

    /** Returns what {@code ended}, whose peer was killed, counts as beside that. */
    static Count killed(Connection ended) {
        return isShared(ended) ? Count.KILLED_SHARED : Count.KILLED_NETWORK;
    }
}
