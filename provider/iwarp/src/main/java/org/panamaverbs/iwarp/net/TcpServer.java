package org.panamaverbs.iwarp.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** A socket that listens. Used by one thread at a time. */
public interface TcpServer extends Pollable {
    /** Returns the address that it listens at. */
    InetSocketAddress localAddress() throws IOException;

    /** Returns the next connection, null if there is none now. */
    @Nullable
    TcpSocket accept() throws IOException;
}
