/**
 * Connections, listeners, datagrams and multicast groups over the connection manager; {@code rdma_cma.h} of librdmacm.
 *
 * <p>Three entry points:
 *
 * <ul>
 *   <li>{@link org.panamaverbs.api.Verbs#listen} creates a {@link org.panamaverbs.api.cm.Listener}, which brings
 *       {@link org.panamaverbs.api.cm.ConnectionRequest}s to accept or reject.
 *   <li>{@link org.panamaverbs.api.Verbs#connect} waits for a {@link org.panamaverbs.api.cm.Connection};
 *       {@link org.panamaverbs.api.Verbs#beginConnect} returns at once.
 *   <li>{@link org.panamaverbs.api.Verbs#connectDatagrams} resolves a {@link org.panamaverbs.api.cm.DatagramPeer}.
 * </ul>
 *
 * <pre>{@code
 * try (Listener listener = verbs.listen(address)) {
 *     ConnectionConfig offer = ConnectionConfig.defaults().withPrivateData(buffer.remote().encode());
 *     try (Connection connection = listener.accept(deadline).accept(config, offer, deadline)) {
 *         connection.awaitDisconnect(deadline); // the peer reads and writes buffer meanwhile
 *     }
 * }
 * }</pre>
 *
 * <p>{@link org.panamaverbs.api.cm.Connection#close} aborts, also at the end of try-with-resources: the peer sees a
 * reset. Call {@link org.panamaverbs.api.cm.Connection#disconnect} before it for an orderly end. One thread serves many
 * connections with an {@link org.panamaverbs.api.EventQueue}. If an iWARP peer ended a stream,
 * {@link org.panamaverbs.api.ConnectionException#terminateCause()} says why, as a
 * {@link org.panamaverbs.api.cm.TerminateCause}.
 *
 * <p>Queue pairs can also be connected without a connection manager: {@link org.panamaverbs.api.cm.outofband}.
 */
@NullMarked
package org.panamaverbs.api.cm;

import org.jspecify.annotations.NullMarked;
