package org.panamaverbs.iwarp.engine.transport;

import java.util.function.Function;
import org.panamaverbs.iwarp.net.TcpServer;
import org.panamaverbs.iwarp.net.TcpSocket;

/** Makes servers for tests. */
public final class Servers {
    private Servers() {}

    /** Returns a server at {@code server}, whose connections are carried by what {@code carrying} makes. */
    public static TransportServer over(TcpServer server, Function<TcpSocket, Transport> carrying) {
        return new TransportServer(server, carrying::apply, null);
    }
}
