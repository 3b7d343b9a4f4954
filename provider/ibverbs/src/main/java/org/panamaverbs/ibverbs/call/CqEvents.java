package org.panamaverbs.ibverbs.call;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.panamaverbs.bindings.Downcalls;
import org.panamaverbs.bindings.Errno;

/** The events of one completion channel, got without allocating anything. For one thread at a time. */
public final class CqEvents {
    private final MethodHandle get =
            Libraries.IBVERBS.withErrno("ibv_get_cq_event", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS));
    private final MemorySegment state = Arena.ofAuto().allocate(Errno.CAPTURE_LAYOUT);

    /** Looks the function up. */
    public CqEvents() {}

    /**
     * {@code ibv_get_cq_event(3)}: takes an event.
     *
     * @return 0, or the error number: EAGAIN if there is none
     */
    public int get(MemorySegment channel, MemorySegment queue, MemorySegment cookie) {
        try {
            int result = (int) get.invokeExact(state, channel, queue, cookie);
            return result == 0 ? 0 : Errno.captured(state);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }
}
