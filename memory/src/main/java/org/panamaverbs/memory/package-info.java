/**
 * Registered memory: buffers and their keys, pools, remote buffers and atomic targets; work requests name them. Three
 * entry points:
 *
 * <ul>
 *   <li>{@link org.panamaverbs.memory.MemorySlab} allocates or maps memory
 *   <li>{@link org.panamaverbs.memory.RegisteredBuffer} is memory that an adapter may access
 *   <li>{@link org.panamaverbs.memory.RemoteBuffer} is a peer's memory, for RDMA Read, Write and atomics
 * </ul>
 *
 * <p>A protection domain registers memory; the peer learns where it may write:
 *
 * <pre>{@code
 * try (var domain = verbs.protectionDomain();
 *         var slab = MemorySlab.allocateHuge(1 << 20);
 *         var registered = domain.register(slab.segment(), LOCAL_WRITE, REMOTE_WRITE)) {
 *     byte[] advertised = registered.remote().encode(); // for a message or private data
 *     RemoteBuffer atPeer = RemoteBuffer.decode(advertised);
 *     PostStatus.check(queuePair.write(1, buffer, 0, 512, atPeer, 0, SIGNALED));
 * }
 * }</pre>
 */
@NullMarked
package org.panamaverbs.memory;

import org.jspecify.annotations.NullMarked;
