package org.panamaverbs.iwarp.engine.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.net.unix.Hint;
import org.panamaverbs.iwarp.net.unix.UnixName;
import org.panamaverbs.iwarp.net.unix.UnixServer;
import org.panamaverbs.iwarp.net.unix.UnixSocket;
import org.panamaverbs.iwarp.wire.Octets;
import org.panamaverbs.iwarp.wire.ShmOffer;

/** The abstract names of this network namespace, which end with their holders and have one each. */
final class NetworkNamespace implements MeetingPlace {
    private static final String PREFIX = "panama-verbs/1/";

    /** Returns the hint of a listener at {@code address}, null if another has it. */
    static @Nullable Hint tell(InetSocketAddress address) throws IOException {
        return Hint.bind(UnixName.ofAbstract(hint(address)));
    }

    /** Returns the name of the hint of a listener at {@code address}. */
    static String hint(InetSocketAddress address) {
        boolean any = address.getAddress().isAnyLocalAddress();
        return any ? anyAddress(address) : text(address.getAddress(), address.getPort());
    }

    /** Returns the text that tells of a listener at {@code address} and {@code port}. */
    static String text(InetAddress address, int port) {
        String host = address.getHostAddress();
        int scope = host.indexOf('%');
        return PREFIX + port + "/" + (scope < 0 ? host : host.substring(0, scope));
    }

    private static String anyAddress(InetSocketAddress address) {
        return PREFIX + address.getPort() + "/*";
    }

    private static UnixName name(Octets name) {
        return UnixName.ofAbstract(PREFIX + name);
    }

    @Override
    public int nameSpace() {
        return ShmOffer.ABSTRACT;
    }

    @Override
    public boolean hasListener(InetSocketAddress address) throws IOException {
        return Hint.exists(UnixName.ofAbstract(text(address.getAddress(), address.getPort())))
                || Hint.exists(UnixName.ofAbstract(anyAddress(address)));
    }

    @Override
    public String nobody(InetSocketAddress address) {
        return "no listener at that port offers shared memory in this network namespace";
    }

    @Override
    public UnixServer listen(Octets name, int backlog) throws IOException {
        return UnixServer.listen(name(name), backlog);
    }

    @Override
    public UnixSocket connect(Octets name) throws IOException {
        return UnixSocket.connect(name(name));
    }

    @Override
    public void close() {
        // The name ends with its socket.
    }
}
