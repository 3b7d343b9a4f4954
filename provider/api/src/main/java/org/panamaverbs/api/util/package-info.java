/**
 * Helpers on top of the verbs, written against the public API alone.
 *
 * <p>Four entry points:
 *
 * <ul>
 *   <li>{@link org.panamaverbs.api.util.LongTransfer} splits a Read or Write that is longer than one request may be.
 *   <li>{@link org.panamaverbs.api.util.EmulatedMaskedAtomics} does masked atomics with CmpSwap where the device has
 *       none.
 *   <li>{@link org.panamaverbs.api.util.OutstandingSends} records posted requests, and reports after a failure which of
 *       them may not have been executed: the guide's page {@code recovery} has the pattern.
 *   <li>{@link org.panamaverbs.api.util.WarmUp} drives the data path of this process until its code is compiled.
 * </ul>
 *
 * <pre>{@code
 * LongTransfer transfer = LongTransfer.read(7, buffer, 0, length, remote, 0, verbs.capabilities().maxMessageBytes());
 * int status = transfer.post(queuePair);
 * if (status != PostStatus.QUEUE_FULL) {
 *     PostStatus.check(status); // the rest is posted as completions arrive
 * }
 * }</pre>
 *
 * <p>Waits for completions are in {@link org.panamaverbs.api}.
 */
@NullMarked
package org.panamaverbs.api.util;

import org.jspecify.annotations.NullMarked;
