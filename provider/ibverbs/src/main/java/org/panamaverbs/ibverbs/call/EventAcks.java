package org.panamaverbs.ibverbs.call;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import org.panamaverbs.bindings.Downcalls;

/**
 * The acknowledgements of events. Each event must be acknowledged once: the destruction of its object waits for that.
 * So that nobody is in doubt whether it was when memory runs out, nothing is allocated once the call is made. Linked
 * when it is made, before there is an event.
 */
public final class EventAcks {
    private final MethodHandle completion =
            Libraries.IBVERBS.plain("ibv_ack_cq_events", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT));
    private final MethodHandle asynchronous =
            Libraries.IBVERBS.plain("ibv_ack_async_event", FunctionDescriptor.ofVoid(JAVA_LONG));

    /** Looks the functions up. */
    public EventAcks() {}

    /** {@code ibv_ack_cq_events(3)}: acknowledges one event of the {@code struct ibv_cq} at {@code queue}. */
    public void completion(long queue) {
        try {
            completion.invokeExact(queue, 1);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code ibv_ack_async_event(3)}: acknowledges the {@code struct ibv_async_event} at {@code event}. */
    public void asynchronous(long event) {
        try {
            asynchronous.invokeExact(event);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }
}
