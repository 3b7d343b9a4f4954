/**
 * Point-to-point channels of messages with flow control, over the verbs of any provider:
 * {@link org.panamaverbs.channel.ChannelGroup} connects and accepts them, {@link org.panamaverbs.channel.Publisher} and
 * {@link org.panamaverbs.channel.Subscriber} are the two ends of each direction.
 *
 * <pre>{@code
 * try (var group = ChannelGroup.open(verbs, ChannelConfig.defaults());
 *         var listener = verbs.listen(address)) {
 *     var channel = group.accept(listener.accept(deadline), deadline);
 *     while (!channel.subscriber().isClosed()) {
 *         group.poll((from, memory, offset, length) -> {
 *             long result = from.publisher().offer(memory, offset, length); // an echo
 *             if (result < 0) {
 *                 System.err.println(Publisher.text(result));
 *             }
 *         }, 16);
 *     }
 * }
 * }</pre>
 */
@NullMarked
package org.panamaverbs.channel;

import org.jspecify.annotations.NullMarked;
