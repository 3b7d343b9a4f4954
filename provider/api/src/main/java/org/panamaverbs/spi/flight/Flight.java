package org.panamaverbs.spi.flight;

/**
 * Records events, if the runtime has Flight Recorder and a recording wants them. No call waits for another thread of
 * the library, so all may be made under any lock; without memory they throw. Any thread.
 */
public final class Flight {
    private static final boolean PRESENT = isPresent();
    // Whether the recorder has begun and the events are loaded: that takes 0.2 s, which most processes need not spend.
    private static volatile boolean begun;

    private Flight() {}

    private static boolean isPresent() {
        try {
            Class.forName("jdk.jfr.FlightRecorder", false, Flight.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    /** Records that {@code operation} established a connection within {@code tookNanos}. */
    public static void established(
            Place place,
            String operation,
            String local,
            String carrier,
            String transport,
            int ird,
            int ord,
            long tookNanos) {
        if (begun) {
            Events.established(place, operation, local, carrier, transport, ird, ord, tookNanos);
        }
    }

    /** Records that {@code operation} could not establish a connection. */
    public static void notEstablished(Place place, String operation, String cause, long tookNanos) {
        if (begun) {
            Events.notEstablished(place, operation, cause, tookNanos);
        }
    }

    /** Records the end of a connection after {@code livedNanos}; {@code cause} is empty for an orderly end. */
    public static void ended(Place place, String endedBy, String cause, long livedNanos) {
        if (begun) {
            Events.ended(place, endedBy, cause, livedNanos);
        }
    }

    /** Records a Terminate that was sent or received. */
    public static void terminate(
            Place place, boolean sent, int layer, int errorType, int errorCode, String text, String remedy) {
        if (begun) {
            Events.terminate(place, sent, layer, errorType, errorCode, text, remedy);
        }
    }

    /** Records the numbers of flushed requests. */
    public static void flushed(Place place, long sends, long receives) {
        if (begun) {
            Events.flushed(place, sends, receives);
        }
    }

    /** Records that completion queue {@code queue} was overrun. */
    public static void overrun(Place place, String queue, String cause) {
        if (begun) {
            Events.overrun(place, queue, cause);
        }
    }

    /** Records an asynchronous event. */
    public static void asyncEvent(Place place, String type, String detail) {
        if (begun) {
            Events.asyncEvent(place, type, detail);
        }
    }

    /** Records a registration with a mask of rights; {@code cause} is not empty if it failed. */
    public static void registration(Place place, String domain, long bytes, int rights, String cause) {
        if (begun) {
            Events.registration(place, domain, bytes, rights, cause);
        }
    }

    /** Records that a registration was closed. */
    public static void deregistration(Place place, String domain, long bytes) {
        if (begun) {
            Events.deregistration(place, domain, bytes);
        }
    }

    /** Records that a peer has stopped. */
    public static void stall(Place place, String what) {
        if (begun) {
            Events.stall(place, what);
        }
    }

    /** Records a pass of the event loop of {@code tookNanos}. */
    public static void slowPass(Place place, long tookNanos) {
        if (begun) {
            Events.slowPass(place, tookNanos);
        }
    }

    /** Records that a setup falls back to another transport. */
    public static void setupRetry(Place place, String why) {
        if (begun) {
            Events.setupRetry(place, why);
        }
    }

    /** Loads the events once the recorder has begun; without memory this throws, and none is recorded. */
    static void begin() {
        Events.prepare();
        begun = true;
    }

    /**
     * Records from the first recording on, and samples {@code samples} whenever a recording wants statistics, on a
     * thread of the recorder, until the result is run.
     */
    public static Runnable sampleBy(Samples samples) {
        return PRESENT ? Sampling.begin(samples) : () -> {};
    }
}
