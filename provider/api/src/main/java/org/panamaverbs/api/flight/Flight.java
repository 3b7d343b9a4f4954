package org.panamaverbs.api.flight;

/**
 * Records events, if the runtime has Flight Recorder and a recording wants them. No call waits for another thread of
 * ours, so that they may be made under any lock; where memory lacks, they throw what says so. Any thread.
 */
public final class Flight {
    private static final boolean PRESENT = isPresent();

    private Flight() {}

    private static boolean isPresent() {
        try {
            Class.forName("jdk.jfr.FlightRecorder", false, Flight.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    /** Loads the events where there is memory for it: what fails in an initializer is lost for good. */
    public static void prepare() {
        if (PRESENT) {
            Events.prepare();
        }
    }

    /** A connection was set up by {@code operation}; it took {@code tookNanos}. */
    public static void established(
            Place place,
            String operation,
            String local,
            String carrier,
            String transport,
            int ird,
            int ord,
            long tookNanos) {
        if (PRESENT) {
            Events.established(place, operation, local, carrier, transport, ird, ord, tookNanos);
        }
    }

    /** A connection could not be set up by {@code operation}. */
    public static void notEstablished(Place place, String operation, String cause, long tookNanos) {
        if (PRESENT) {
            Events.notEstablished(place, operation, cause, tookNanos);
        }
    }

    /** A connection ended after {@code livedNanos}; {@code cause} is empty for an end in order. */
    public static void ended(Place place, String endedBy, String cause, long livedNanos) {
        if (PRESENT) {
            Events.ended(place, endedBy, cause, livedNanos);
        }
    }

    /** A Terminate was sent or received. */
    public static void terminate(
            Place place, boolean sent, int layer, int errorType, int errorCode, String text, String remedy) {
        if (PRESENT) {
            Events.terminate(place, sent, layer, errorType, errorCode, text, remedy);
        }
    }

    /** So many requests were flushed. */
    public static void flushed(Place place, long sends, long receives) {
        if (PRESENT) {
            Events.flushed(place, sends, receives);
        }
    }

    /** The completion queue {@code queue} was overrun. */
    public static void overrun(Place place, String queue, String cause) {
        if (PRESENT) {
            Events.overrun(place, queue, cause);
        }
    }

    /** An asynchronous event was raised. */
    public static void asyncEvent(Place place, String type, String detail) {
        if (PRESENT) {
            Events.asyncEvent(place, type, detail);
        }
    }

    /**
     * Memory was registered with these rights, a mask; {@code cause} says why it could not be, if that is not empty.
     */
    public static void registration(Place place, String domain, long bytes, int rights, String cause) {
        if (PRESENT) {
            Events.registration(place, domain, bytes, rights, cause);
        }
    }

    /** A registration was closed. */
    public static void deregistration(Place place, String domain, long bytes) {
        if (PRESENT) {
            Events.deregistration(place, domain, bytes);
        }
    }

    /** A peer has stopped. */
    public static void stall(Place place, String what) {
        if (PRESENT) {
            Events.stall(place, what);
        }
    }

    /** A pass of the event loop took {@code tookNanos}. */
    public static void slowPass(Place place, long tookNanos) {
        if (PRESENT) {
            Events.slowPass(place, tookNanos);
        }
    }

    /** A set-up goes on by another way. */
    public static void setupRetry(Place place, String why) {
        if (PRESENT) {
            Events.setupRetry(place, why);
        }
    }

    /**
     * Has {@code samples} asked whenever a recording wants statistics, on a thread of the recorder's, until the answer
     * is run.
     */
    public static Runnable sampleBy(Samples samples) {
        return PRESENT ? Sampling.begin(samples) : () -> {};
    }
}
