package org.panamaverbs.iwarp.engine.transport.shm;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.net.unix.Hint;
import org.panamaverbs.iwarp.net.unix.UnixName;

/** The hint of a listener that takes Offers of shared memory: a name that nobody else in its network namespace has. */
final class HintNames {
    private HintNames() {}

    /** Returns the hint of a listener at {@code address}, null if another has it. */
    static @Nullable Hint bind(InetSocketAddress address) throws IOException {
        return Hint.bind(name(address, address.getAddress().isAnyLocalAddress()));
    }

    /** Tells whether somebody who listens at {@code address}, or at the wildcard address, gives the hint. */
    static boolean isThere(InetSocketAddress address) throws IOException {
        return Hint.exists(name(address, false)) || Hint.exists(name(address, true));
    }

    private static UnixName name(InetSocketAddress address, boolean anyAddress) {
        String host = anyAddress ? "*" : address.getAddress().getHostAddress();
        int scope = host.indexOf('%');
        return UnixName.ofAbstract(
                "panama-verbs/1/" + address.getPort() + "/" + (scope < 0 ? host : host.substring(0, scope)));
    }
}
