package org.panamaverbs.iwarp.engine.transport;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.panamaverbs.iwarp.net.unix.UnixServer;
import org.panamaverbs.iwarp.net.unix.UnixSocket;
import org.panamaverbs.iwarp.wire.Octets;

/** Where two sides on one host meet once one of them has told the other a name, over TCP. */
interface MeetingPlace extends AutoCloseable {
    /** Returns what an Offer calls it. */
    int nameSpace();

    /** Tells whether somebody says here that it listens at {@code address}, which nobody believes. */
    boolean hasListener(InetSocketAddress address) throws IOException;

    /** Returns in words that nobody does, at {@code address}. */
    String nobody(InetSocketAddress address);

    /** Begins to listen at {@code name}, once. */
    UnixServer listen(Octets name, int backlog) throws IOException;

    /** Connects to who listens at {@code name}. */
    UnixSocket connect(Octets name) throws IOException;

    /** Leaves nothing of the name behind; can be repeated. */
    @Override
    void close();
}
