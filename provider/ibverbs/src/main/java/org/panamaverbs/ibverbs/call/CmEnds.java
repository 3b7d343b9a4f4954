package org.panamaverbs.ibverbs.call;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import org.panamaverbs.bindings.Downcalls;

/**
 * The calls of librdmacm that end things. What they do not end stays for good, so that they allocate nothing. Linked
 * when it is made, before there is anything to end. Any thread.
 */
public final class CmEnds {
    private final MethodHandle acknowledge =
            Libraries.RDMACM.plain("rdma_ack_cm_event", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    private final MethodHandle destroyId =
            Libraries.RDMACM.plain("rdma_destroy_id", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    private final MethodHandle destroyChannel =
            Libraries.RDMACM.plain("rdma_destroy_event_channel", FunctionDescriptor.ofVoid(JAVA_LONG));

    /**
     * Looks the functions up.
     *
     * @throws UnsupportedOperationException if librdmacm is missing
     */
    public CmEnds() {}

    /** {@code rdma_ack_cm_event(3)} of the {@code struct rdma_cm_event} at {@code event}; returns 0 if it went well. */
    public int acknowledge(long event) {
        try {
            return (int) acknowledge.invokeExact(event);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code rdma_destroy_id(3)} of the {@code struct rdma_cm_id} at {@code id}; returns 0 if it went well. */
    public int destroyId(long id) {
        try {
            return (int) destroyId.invokeExact(id);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code rdma_destroy_event_channel(3)} of the {@code struct rdma_event_channel} at {@code channel}. */
    public void destroyChannel(long channel) {
        try {
            destroyChannel.invokeExact(channel);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }
}
