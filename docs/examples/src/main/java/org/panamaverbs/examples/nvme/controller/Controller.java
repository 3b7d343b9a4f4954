package org.panamaverbs.examples.nvme.controller;

import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.examples.nvme.wire.Property;
import org.panamaverbs.examples.nvme.wire.Status;

/** What one host sees: made by the Connect of its admin queue, gone with that queue. */
final class Controller {
    private static final int MUST_BE_USUAL = ~(Property.CC_ENABLE | Property.CC_SHUTDOWN_MASK);

    private final int id;
    private final String host;
    private final int depth;
    private final BitSet queues = new BitSet();
    private int configuration;
    private int status;
    private long keepAliveNanos;
    private long heardNanos = System.nanoTime();
    private int eventsHeld;

    Controller(int id, String host, int depth, int keepAliveMillis) {
        this.id = id;
        this.host = host;
        this.depth = depth;
        setKeepAlive(keepAliveMillis);
    }

    int id() {
        return id;
    }

    String host() {
        return host;
    }

    boolean isReady() {
        return (status & Property.CSTS_READY) != 0;
    }

    /** Takes queue {@code queueId}; returns false if it is there already. */
    boolean takeQueue(int queueId) {
        if (queues.get(queueId)) {
            return false;
        }
        queues.set(queueId);
        return true;
    }

    void releaseQueue(int queueId) {
        queues.clear(queueId);
    }

    /** Counts an event request that is held; returns false if there are too many. */
    boolean holdEvent(int most) {
        if (eventsHeld == most) {
            return false;
        }
        eventsHeld++;
        return true;
    }

    /** Says how long the host may be silent, in milliseconds, unsigned; 0 for as long as it likes. */
    void setKeepAlive(int millis) {
        keepAliveNanos = TimeUnit.MILLISECONDS.toNanos(Integer.toUnsignedLong(millis));
    }

    int keepAliveMillis() {
        return (int) TimeUnit.NANOSECONDS.toMillis(keepAliveNanos);
    }

    /** Says that the host has sent an admin command. */
    void heard() {
        heardNanos = System.nanoTime();
    }

    /** Tells whether the host has been silent for twice as long as it may. */
    boolean isLost() {
        return keepAliveNanos != 0 && System.nanoTime() - heardNanos > 2 * keepAliveNanos;
    }

    /** Begins a Property Get. */
    int get(Request request) {
        boolean wide = (request.command().dword(10) & 7) == 1;
        int offset = request.command().dword(11);
        if (wide != (offset == Property.CAP)) {
            return Status.INVALID_FIELD | Status.DO_NOT_RETRY;
        }
        return switch (offset) {
            case Property.CAP -> request.answer(Property.capabilities(depth));
            case Property.VS -> request.answer(Property.VERSION_1_3);
            case Property.CC -> request.answer(Integer.toUnsignedLong(configuration));
            case Property.CSTS -> request.answer(status);
            default -> Status.INVALID_FIELD | Status.DO_NOT_RETRY;
        };
    }

    /** Begins a Property Set. */
    int set(Request request) {
        if ((request.command().dword(10) & 7) != 0 || request.command().dword(11) != Property.CC) {
            return Status.INVALID_FIELD | Status.DO_NOT_RETRY;
        }
        configuration = request.command().dword(12);
        boolean enabled = (configuration & Property.CC_ENABLE) != 0;
        if (enabled && (configuration & MUST_BE_USUAL) != Property.CC_USUAL) {
            status = Property.CSTS_FATAL;
        } else if ((configuration & Property.CC_SHUTDOWN_MASK) != 0) {
            status = (enabled ? Property.CSTS_READY : 0) | Property.CSTS_SHUT_DOWN;
        } else {
            status = enabled ? Property.CSTS_READY : 0;
        }
        return Status.SUCCESS;
    }
}
