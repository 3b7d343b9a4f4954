package org.panamaverbs.sockets;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.spi.SelectorProvider;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.sockets.channel.PlainParking;
import org.panamaverbs.sockets.channel.RdmaServerSocketImpl;
import org.panamaverbs.sockets.channel.RdmaSocketImpl;
import org.panamaverbs.sockets.rules.SocketRules;

/** The factories of {@link Socket} and {@link ServerSocket}, which a process can set once. */
final class NetSockets {
    private static boolean installed;

    /** That of {@link Socket} is: it cannot be taken back if the other fails. */
    private static boolean clientsInstalled;

    /** Made by the first socket: until then the process's provider may be in the making. */
    private static final class Provider {
        static final RdmaSelectorProvider SHARED = SelectorProvider.provider() instanceof RdmaSelectorProvider processes
                ? processes
                : new RdmaSelectorProvider();

        private Provider() {}
    }

    private NetSockets() {}

    /**
     * Installs the factories if the property says so; one that says something else is reported by the first channel.
     * Returns why that failed, null if it did not: an exception here would leave the process without any channel.
     */
    static @Nullable RuntimeException installIfAsked() {
        if ("on".equals(System.getProperty(RdmaSelectorProvider.NET_PROPERTY))) {
            try {
                install();
            } catch (IllegalArgumentException | IllegalStateException e) {
                return e;
            }
        }
        return null;
    }

    @SuppressWarnings("deprecation") // for want of another way to a program's sockets; not for removal
    static synchronized void install() {
        SocketSettings.configured();
        if (installed || SocketRules.configured().areOff()) {
            return;
        }
        PlainParking.requireAccess();
        try {
            // In this order: a server socket of ours accepts nothing without the other.
            if (!clientsInstalled) {
                Socket.setSocketImplFactory(() -> new RdmaSocketImpl(Provider.SHARED));
                clientsInstalled = true;
            }
            ServerSocket.setSocketFactory(() -> new RdmaServerSocketImpl(Provider.SHARED));
        } catch (IOException e) {
            throw new IllegalStateException("install sockets of java.net: " + e.getMessage() + remedy(), e);
        }
        installed = true;
    }

    private static String remedy() {
        return clientsInstalled
                ? " by ServerSocket.setSocketFactory, while those of Socket are installed and stay, so that server"
                        + " sockets may accept nothing; remedy: start the program again without its own factory of"
                        + " ServerSocket, or with the agent, which comes before the program"
                : "; remedy: use the agent, which comes before the program, or leave out the program's own"
                        + " SocketImplFactory";
    }
}
