package org.panamaverbs.ibverbs.cm;

import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.rdmacm.rdma_cm_event;
import org.panamaverbs.ibverbs.call.CmCalls;
import org.panamaverbs.ibverbs.call.CmEnds;
import org.panamaverbs.ibverbs.call.RawMemory;
import org.panamaverbs.spi.support.DeferredLog;

/**
 * The events of a channel, from librdmacm to the ids that they are for: each is copied, acknowledged at once and handed
 * on. Belongs to the thread of the channel that takes events.
 */
final class CmEventReader {
    private static final long EVENT_ID = rdma_cm_event.id$offset();
    private static final long EVENT_LISTENER = rdma_cm_event.listen_id$offset();
    private static final long EVENT_TYPE = rdma_cm_event.event$offset();

    private final CmEnds ends;
    private final CmIds ids;
    private final Adopter adopter;
    private final Texts texts;

    /** What makes an id of the channel of one that came with a request. */
    interface Adopter {
        CmId adopt(MemorySegment id, boolean datagrams);
    }

    /** What is logged. Made before, as there may be no memory for it when it is needed. */
    private record Texts(String unread, String notUnderstood, String unacknowledged) {
        static Texts of(String device) {
            String where = " of the connection manager of device " + device;
            return new Texts(
                    "rdma_get_cm_event" + where + " failed",
                    "an unknown event" + where + " arrived",
                    "rdma_ack_cm_event" + where + " failed");
        }
    }

    /** Creates a reader for the channel of {@code device}, which has {@code ids}; {@code ends} is how events end. */
    CmEventReader(String device, CmEnds ends, CmIds ids, Adopter adopter) {
        this.ends = ends;
        this.ids = ids;
        this.adopter = adopter;
        texts = Texts.of(device);
    }

    /**
     * Takes the events that {@code channel}, a {@code struct rdma_event_channel}, has; returns false if that failed.
     */
    boolean drain(MemorySegment channel) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            int errno = CmCalls.GET_CM_EVENT.status(channel, result);
            while (errno == 0) {
                take(result.get(ValueLayout.JAVA_LONG, 0));
                errno = CmCalls.GET_CM_EVENT.status(channel, result);
            }
            if (errno == Errno.EAGAIN || errno == Errno.EINTR) {
                return true;
            }
            DeferredLog.log(CmEventReader.class, Level.WARNING, texts.unread() + ": " + Errno.describe(errno));
        }
        return false;
    }

    /**
     * Hands the event at {@code event} to its id, and acknowledges it in any case: the destruction of its id waits for
     * that. What of it needs memory may fail; whose it is, and that it is an end, is known without.
     */
    private void take(long event) {
        CmEventType type = CmEventType.of(RawMemory.getInt(event + EVENT_TYPE));
        boolean request = type == CmEventType.CONNECT_REQUEST;
        long id = RawMemory.getLong(event + EVENT_ID);
        // The address of an id can be used again as soon as its events are acknowledged: look it up before.
        @Nullable
        CmId receiver = type.isNoise() ? null : ids.find(request ? RawMemory.getLong(event + EVENT_LISTENER) : id);
        boolean datagrams = receiver != null && receiver.isForDatagrams();
        @Nullable CmId child = null;
        long orphan = request ? id : 0;
        CmEvent copy = CmEvent.uncopied(type);
        @Nullable Throwable failure = null;
        boolean acknowledged = false;
        try {
            MemorySegment all = MemorySegment.ofAddress(event).reinterpret(rdma_cm_event.sizeof());
            if (request) {
                child = adopter.adopt(rdma_cm_event.id(all), datagrams);
                orphan = 0;
            }
            if (receiver != null) {
                copy = datagrams ? CmEvent.copyDatagrams(all) : CmEvent.copy(all);
            }
        } catch (RuntimeException | Error e) {
            failure = e;
        } finally {
            acknowledged = ends.acknowledge(event) == 0;
        }
        try {
            if (orphan != 0) {
                ends.destroyId(orphan); // the kernel rejects its request
            } else if (child != null) {
                offer(copy.type() == CmEventType.LOST ? null : receiver, child, copy);
            } else if (receiver != null) {
                receiver.deliver(copy);
            }
        } finally {
            if (failure != null) {
                DeferredLog.log(CmEventReader.class, Level.ERROR, texts.notUnderstood(), failure);
            }
            if (!acknowledged) {
                DeferredLog.log(CmEventReader.class, Level.WARNING, texts.unacknowledged());
            }
        }
    }

    private static void offer(@Nullable CmId listener, CmId child, CmEvent event) {
        boolean taken = false;
        try {
            taken = listener != null && listener.offer(new CmId.Incoming(child, event));
        } finally {
            if (!taken) {
                child.discard(); // then the kernel rejects the request
            }
        }
    }
}
