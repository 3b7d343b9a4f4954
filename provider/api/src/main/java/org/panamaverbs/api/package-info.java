/**
 * RDMA verbs: queue pairs, completion queues, protection domains, memory windows and connections. Three entry points:
 *
 * <ul>
 *   <li>{@link org.panamaverbs.api.Verbs} opens a device, connects and listens
 *   <li>{@link org.panamaverbs.api.SendQueue} and {@link org.panamaverbs.api.ReceiveQueue} post work requests
 *   <li>{@link org.panamaverbs.api.CompletionQueue} reports their completion
 * </ul>
 *
 * <p>A first message; the receive of the peer was posted before it accepted:
 *
 * <pre>{@code
 * try (var verbs = Verbs.open();
 *         var domain = verbs.protectionDomain();
 *         var buffer = domain.allocate(4096, LOCAL_WRITE);
 *         var queue = verbs.completionQueue(256);
 *         var connection = verbs.connect(address, QueuePairConfig.of(domain, queue), deadline)) {
 *     PostStatus.check(connection.queuePair().send(1, buffer, 0, 512, SIGNALED));
 *     queue.poll(completions, deadline);
 *     if (!completions.get(0).ok()) {
 *         throw new IllegalStateException(completions.get(0).toString());
 *     }
 *     connection.disconnect(deadline); // close alone would abort
 * }
 * }</pre>
 *
 * <p>Applications do not implement these interfaces; providers alone do, and new methods come with a default. Enums may
 * gain values: a {@code switch} over one needs a default. Configurations may gain fields.
 *
 * <p>Close objects in the reverse order of their creation: connection and queue pair, memory window, shared receive
 * queue, completion queue, completion channel, registered buffer, protection domain, verbs. A parent with open children
 * refuses to close and names them.
 *
 * <p>All types may be used from any thread unless they say otherwise; the guide's page {@code learn/threads} has the
 * rules. Posting and polling allocate nothing. The page {@code learn/faq} explains messages. The guide is the directory
 * {@code docs/guide} of the project's repository, and on its site.
 */
@NullMarked
package org.panamaverbs.api;

import org.jspecify.annotations.NullMarked;
