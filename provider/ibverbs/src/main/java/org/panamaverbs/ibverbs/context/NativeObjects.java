package org.panamaverbs.ibverbs.context;

import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.memory.ManagedResource;

/**
 * The objects of a context, found by the address of the native one, as events name them, and queue pairs also by
 * number, as completions do. It keeps none of them reachable: what is lost must be noticed. Any thread.
 */
public final class NativeObjects {
    private final ConcurrentHashMap<Long, WeakReference<ManagedResource>> objects = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Integer, WeakReference<Failable>> byNumber = new ConcurrentHashMap<>();

    NativeObjects() {}

    /** Has events of the native object {@code handle} reported for {@code object}. */
    public void register(MemorySegment handle, ManagedResource object) {
        objects.put(handle.address(), new WeakReference<>(object));
    }

    /** Forgets what {@link #register} said. */
    public void forget(MemorySegment handle) {
        objects.remove(handle.address());
    }

    /** Forgets what {@link #register} said of {@code object}, unless another has the address by now. */
    public void forget(MemorySegment handle, ManagedResource object) {
        objects.computeIfPresent(handle.address(), (key, known) -> known.refersTo(object) ? null : known);
    }

    /** Has all objects that hear of events hear of one that is the device's; then throws what one of them threw. */
    void tellAll(AsyncEvent.Type type) {
        Throwable failure = null;
        for (WeakReference<ManagedResource> object : objects.values()) {
            try {
                if (object.get() instanceof EventTarget target) {
                    target.raised(type);
                }
            } catch (RuntimeException | Error e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw new IllegalStateException("an object was not notified of " + type, failure);
        }
    }

    /** Returns the object of the native object at {@code address}, null if there is none any more, or it was lost. */
    public @Nullable ManagedResource at(long address) {
        WeakReference<ManagedResource> known = objects.get(address);
        return known == null ? null : known.get();
    }

    /** Has completions with errors of queue pair {@code number} counted against {@code queuePair}. */
    public void addNumber(int number, Failable queuePair) {
        byNumber.put(number, new WeakReference<>(queuePair));
    }

    /** Takes {@link #addNumber} back, unless another queue pair has the number by now. */
    public void removeNumber(int number, Failable queuePair) {
        byNumber.computeIfPresent(number, (key, known) -> known.refersTo(queuePair) ? null : known);
    }

    /**
     * Takes note that a request of queue pair {@code number} completed in {@code queue} with an error. It is of the one
     * that has the number now: {@code Attachment.startAnew} has seen to those before it, unless they completed
     * elsewhere.
     */
    public void sawError(ManagedResource queue, int number) {
        WeakReference<Failable> known = byNumber.get(number);
        Failable queuePair = known == null ? null : known.get();
        if (queuePair != null && queuePair.completesIn(queue)) {
            queuePair.sawError();
        }
    }

    /** Takes note, beside {@link #sawError}, that a request failed by itself, and so the queue pair. */
    public void requestFailed(ManagedResource queue, int number, WcStatus status, int vendorError) {
        WeakReference<Failable> known = byNumber.get(number);
        Failable queuePair = known == null ? null : known.get();
        if (queuePair != null && queuePair.completesIn(queue)) {
            queuePair.requestFailed(status, vendorError);
        }
    }

    /** Moves the queue pairs that complete in {@code queue} to ERROR, as they failed of {@code cause}. */
    public void failQueuePairsOf(ManagedResource queue, String cause) {
        for (WeakReference<ManagedResource> object : objects.values()) {
            if (object.get() instanceof Failable queuePair && queuePair.completesIn(queue)) {
                queuePair.fail(cause);
            }
        }
    }
}
