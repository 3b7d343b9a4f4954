/**
 * RDMA verbs: queue pairs, completion queues, protection domains, memory windows and connections.
 *
 * <p>Names are those of the RFCs where they have one and those of libibverbs otherwise. Objects are created by
 * {@link org.panamaverbs.api.Verbs} and by each other, and closed in the reverse order: connection and queue pair,
 * memory window, shared receive queue, completion queue, completion channel, registered buffer, protection domain,
 * verbs. A parent with open children refuses to close and names them.
 *
 * <p>Everything may be used from any thread unless a type says otherwise: the guide's page {@code learn/threads} has
 * the rules. Posting and polling allocate nothing. Messages are explained on {@code learn/faq}.
 *
 * <p>The guide, of which pages are named here, is the directory {@code docs/guide} of the project's repository, and is
 * on its site.
 */
@NullMarked
package org.panamaverbs.api;

import org.jspecify.annotations.NullMarked;
