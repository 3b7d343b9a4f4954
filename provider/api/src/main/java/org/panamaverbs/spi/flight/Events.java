package org.panamaverbs.spi.flight;

import java.util.regex.Pattern;
import org.panamaverbs.memory.Access;

/** Makes each event and commits it, if a recording wants it. It is loaded only where Flight Recorder is there. */
final class Events {
    private static final Pattern STAG = Pattern.compile("STag 0x\\p{XDigit}+");

    private Events() {}

    /** Leaves STags out of {@code text}: they are rights to memory, and a recording may be given away. */
    private static String withoutStags(String text) {
        return STAG.matcher(text).replaceAll("an STag");
    }

    /** Loads and registers all of them but the periodic ones: their constructors do. */
    static void prepare() {
        new AsynchronousEvent().isEnabled();
        new CompletionQueueOverrun().isEnabled();
        new ConnectionEnd().isEnabled();
        new ConnectionSetup().isEnabled();
        new FlushedWork().isEnabled();
        new MemoryDeregistration().isEnabled();
        new MemoryRegistration().isEnabled();
        new SetupRetry().isEnabled();
        new SlowPass().isEnabled();
        new Stall().isEnabled();
        new TerminateEvent().isEnabled();
    }

    static void established(
            Place place,
            String operation,
            String local,
            String carrier,
            String transport,
            int ird,
            int ord,
            long took) {
        ConnectionSetup event = new ConnectionSetup();
        if (event.shouldCommit()) {
            event.at(place);
            event.established = true;
            event.operation = operation;
            event.local = local;
            event.carrier = carrier;
            event.transport = transport;
            event.ird = ird;
            event.ord = ord;
            event.took = took;
            event.commit();
        }
    }

    static void notEstablished(Place place, String operation, String cause, long took) {
        ConnectionSetup event = new ConnectionSetup();
        if (event.shouldCommit()) {
            event.at(place);
            event.operation = operation;
            event.cause = withoutStags(cause);
            event.took = took;
            event.commit();
        }
    }

    static void ended(Place place, String endedBy, String cause, long lived) {
        ConnectionEnd event = new ConnectionEnd();
        if (event.shouldCommit()) {
            event.at(place);
            event.endedBy = endedBy;
            event.cause = withoutStags(cause);
            event.lived = lived;
            event.commit();
        }
    }

    static void terminate(
            Place place, boolean sent, int layer, int errorType, int errorCode, String text, String remedy) {
        TerminateEvent event = new TerminateEvent();
        if (event.shouldCommit()) {
            event.at(place);
            event.sent = sent;
            event.layer = layer;
            event.errorType = errorType;
            event.errorCode = errorCode;
            event.text = text;
            event.remedy = remedy;
            event.commit();
        }
    }

    static void flushed(Place place, long sends, long receives) {
        FlushedWork event = new FlushedWork();
        if (event.shouldCommit()) {
            event.at(place);
            event.sends = sends;
            event.receives = receives;
            event.commit();
        }
    }

    static void overrun(Place place, String queue, String cause) {
        CompletionQueueOverrun event = new CompletionQueueOverrun();
        if (event.shouldCommit()) {
            event.at(place);
            event.queue = queue;
            event.cause = withoutStags(cause);
            event.commit();
        }
    }

    static void asyncEvent(Place place, String type, String detail) {
        AsynchronousEvent event = new AsynchronousEvent();
        if (event.shouldCommit()) {
            event.at(place);
            event.type = type;
            event.detail = withoutStags(detail);
            event.commit();
        }
    }

    static void registration(Place place, String domain, long bytes, int rights, String cause) {
        MemoryRegistration event = new MemoryRegistration();
        if (event.shouldCommit()) {
            event.at(place);
            event.domain = domain;
            event.bytes = bytes;
            event.rights = Access.format(rights);
            event.cause = withoutStags(cause);
            event.commit();
        }
    }

    static void deregistration(Place place, String domain, long bytes) {
        MemoryDeregistration event = new MemoryDeregistration();
        if (event.shouldCommit()) {
            event.at(place);
            event.domain = domain;
            event.bytes = bytes;
            event.commit();
        }
    }

    static void stall(Place place, String what) {
        Stall event = new Stall();
        if (event.shouldCommit()) {
            event.at(place);
            event.what = withoutStags(what);
            event.commit();
        }
    }

    static void slowPass(Place place, long took) {
        SlowPass event = new SlowPass();
        if (event.shouldCommit()) {
            event.at(place);
            event.took = took;
            event.commit();
        }
    }

    static void setupRetry(Place place, String why) {
        SetupRetry event = new SetupRetry();
        if (event.shouldCommit()) {
            event.at(place);
            event.why = withoutStags(why);
            event.commit();
        }
    }
}
