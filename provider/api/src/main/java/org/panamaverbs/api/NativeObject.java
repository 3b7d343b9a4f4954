package org.panamaverbs.api;

import java.lang.foreign.MemorySegment;
import java.util.function.Function;

/**
 * What a provider over a native library implements beside {@link Verbs}, {@link ProtectionDomain},
 * {@link CompletionQueue}, {@link CompletionChannel}, {@link QueuePair} and {@link SharedReceiveQueue}, for calls that
 * the API does not have, such as a vendor's: on ibverbs these are {@code struct ibv_context}, {@code ibv_pd},
 * {@code ibv_cq}, {@code ibv_comp_channel}, {@code ibv_qp} and {@code ibv_srq}. Ask with {@code instanceof}: a provider
 * without native library has none.
 *
 * <p>{@link Adoption} is the reverse: an object that a vendor's call created is used through the API.
 *
 * <p>What the library keeps book of stays its own: a native call that changes a queue pair's state, posts, polls or
 * destroys goes behind its back. The guide's page {@code native-verbs} says what may be called.
 */
public interface NativeObject {
    /**
     * Returns what {@code use} returns, which is called at once with the native object. The object is not closed
     * meanwhile: closing it waits or refuses.
     *
     * @param use gets a segment of length 0, to be given to a downcall as it is, or to be read after
     *     {@link MemorySegment#reinterpret(long)}; it is valid until {@code use} returns, and not afterwards.
     *     {@code use} must not close the object itself
     * @throws IllegalStateException if the object is closed
     */
    <R> R withNative(Function<MemorySegment, R> use);
}
