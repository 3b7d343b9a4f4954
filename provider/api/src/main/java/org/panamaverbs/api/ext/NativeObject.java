package org.panamaverbs.api.ext;

import java.lang.foreign.MemorySegment;
import java.util.function.Function;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.Verbs;

/**
 * Access to the native object, for calls that the API lacks, such as a vendor's. Objects of a provider over a native
 * library implement it; test with {@code instanceof}. On ibverbs, {@link Verbs} is a {@code struct ibv_context},
 * {@link ProtectionDomain} an {@code ibv_pd}, {@link CompletionQueue} an {@code ibv_cq}, {@link CompletionChannel} an
 * {@code ibv_comp_channel}, {@link QueuePair} an {@code ibv_qp}, {@link SharedReceiveQueue} an {@code ibv_srq}.
 *
 * <p>{@link Adoption} is the reverse: an object that a vendor's call created, used through the API.
 *
 * <p>A native call that changes a queue pair's state, posts, polls or destroys bypasses the library's bookkeeping. The
 * guide's page {@code native-verbs} lists the calls that are safe.
 */
public interface NativeObject {
    /**
     * Calls {@code use} with the native object and returns its result. Closing the object meanwhile waits or refuses.
     *
     * @param use receives a segment of length 0, to be passed to a downcall, or read after
     *     {@link MemorySegment#reinterpret(long)}; valid until {@code use} returns. It must not close the object
     * @throws IllegalStateException if the object is closed
     */
    <R> R withNative(Function<MemorySegment, R> use);
}
