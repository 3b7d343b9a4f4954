/**
 * RDMA verbs: device context, memory, queues, posting, completions, events and errors; {@code verbs.h} of libibverbs.
 *
 * <p>Three entry points:
 *
 * <ul>
 *   <li>{@link org.panamaverbs.api.Verbs#open()} opens a device; everything else is created from it.
 *   <li>{@link org.panamaverbs.api.QueuePair} posts: its {@link org.panamaverbs.api.SendQueue} and
 *       {@link org.panamaverbs.api.ReceiveQueue} list the operations.
 *   <li>{@link org.panamaverbs.api.CompletionQueue#poll} brings {@link org.panamaverbs.api.WorkCompletion}s.
 * </ul>
 *
 * <pre>{@code
 * try (Verbs verbs = Verbs.open();
 *         ProtectionDomain domain = verbs.protectionDomain();
 *         RegisteredBuffer local = domain.allocate(4096, LOCAL_WRITE);
 *         CompletionQueue completed = verbs.completionQueue(64);
 *         Connection connection = verbs.connect(address, QueuePairConfig.of(domain, completed), deadline)) {
 *     QueuePair queuePair = connection.queuePair();
 *     RemoteBuffer remote = RemoteBuffer.decode(connection.privateData());
 *     PostStatus.check(queuePair.write(1, local, 0, 512, remote, 0, SIGNALED));
 *     WorkCompletions completions = WorkCompletions.ofCapacity(1);
 *     completed.poll(completions, deadline);
 *     if (completions.get(0).status() != WcStatus.SUCCESS) {
 *         throw new IllegalStateException(completions.get(0).toString());
 *     }
 *     connection.disconnect(deadline);
 * }
 * }</pre>
 *
 * <p>Also here: {@link org.panamaverbs.api.PostStatus} and {@link org.panamaverbs.api.SendFlag} of a post,
 * {@link org.panamaverbs.api.Batch}es, {@link org.panamaverbs.api.SharedReceiveQueue}s, and four ways to wait:
 * {@link org.panamaverbs.api.CompletionChannel}, {@link org.panamaverbs.api.CompletionWait},
 * {@link org.panamaverbs.api.RequestWait} for one request, {@link org.panamaverbs.api.EventQueue} for many objects.
 *
 * <p>Connections and datagrams are in {@link org.panamaverbs.api.cm}, facts of a device in
 * {@link org.panamaverbs.api.device}, rarely supported features in {@link org.panamaverbs.api.ext}, helpers on top of
 * the verbs in {@link org.panamaverbs.api.util}. The packages of {@code org.panamaverbs.spi} are for providers.
 *
 * <p>Applications do not implement these interfaces; providers alone do, and new methods come with a default. Enums may
 * gain values: a {@code switch} over one needs a default. Configurations may gain fields.
 *
 * <p>Objects are closed in the reverse order of their creation: connection and queue pair, memory window, shared
 * receive queue, completion queue, completion channel, registered buffer, protection domain, verbs. A parent with open
 * children refuses to close and names them. Every object may be used from any thread unless its type says otherwise:
 * the guide's page {@code learn/threads} has the rules. Posting and polling allocate nothing.
 *
 * <p>Names are those of libibverbs, with the RFC's word where iWARP has its own. The guide, whose pages are named here,
 * is the directory {@code docs/guide} of the project's repository, and is on its site.
 */
@NullMarked
package org.panamaverbs.api;

import org.jspecify.annotations.NullMarked;
