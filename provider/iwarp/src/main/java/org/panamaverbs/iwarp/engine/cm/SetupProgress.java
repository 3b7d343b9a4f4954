package org.panamaverbs.iwarp.engine.cm;

import java.util.concurrent.TimeUnit;

/**
 * How far an initiator has come with the set-up of a connection, and when: what is missing when the deadline passes.
 * Used by the event loop's thread.
 */
final class SetupProgress {
    private final long beganNanos = System.nanoTime();
    private boolean connected;
    private long connectedNanos;
    private boolean open;

    /** Notes that TCP has connected; only the first time counts. */
    void connected() {
        if (!connected) {
            connected = true;
            connectedNanos = System.nanoTime();
        }
    }

    /** Notes that frames can be exchanged: TLS, where it is wanted, is set up. */
    void opened() {
        open = true;
    }

    /**
     * Returns what has not happened so far, since when, and what to look at.
     *
     * @param opening what the transport lacks, if it is that which is not open
     * @param replyOctets how much of the peer's MPA Reply is here
     */
    String missing(String opening, int replyOctets) {
        long now = System.nanoTime();
        if (!connected) {
            return "TCP did not connect in " + millis(now - beganNanos)
                    + ": nothing answers there; check the address, routes and firewalls";
        }
        String since = "TCP connected after " + millis(connectedNanos - beganNanos) + ", but ";
        String span = " in the " + millis(now - connectedNanos) + " since: check that ";
        if (!open) {
            return opening.contains("TLS")
                    ? since + "TLS was not set up" + span + "an iWARP listener with TLS is at that port"
                    : since + "the listener " + opening + span + "its process is alive";
        }
        return since
                + (replyOctets == 0 ? "no MPA Reply came" : "only " + replyOctets + " octets of an MPA Reply came")
                + span + "an iWARP listener is at that port and that its application accepts";
    }

    private static String millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos) + " ms";
    }
}
