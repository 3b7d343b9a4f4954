package org.panamaverbs.iwarp.engine.cm;

import org.panamaverbs.iwarp.engine.Streams;
import org.panamaverbs.iwarp.engine.device.Context;
import org.panamaverbs.iwarp.engine.transport.Transports;

/**
 * What the connection manager of a context works with.
 *
 * @param context whose owner has the connections, requests and listeners as children
 * @param streams the streams of the context
 * @param transports what carries connections
 */
public record CmContext(Context context, Streams streams, Transports transports) {}
