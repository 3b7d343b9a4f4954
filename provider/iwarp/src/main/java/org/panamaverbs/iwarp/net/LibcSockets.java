package org.panamaverbs.iwarp.net;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.bindings.NativeLibrary;
import org.panamaverbs.bindings.libc.Libc;

/** Sockets by system calls of Linux; to be touched only where {@link NativeLibrary#LIBC} is present. */
final class LibcSockets implements Sockets {
    static final LibcSockets INSTANCE = new LibcSockets();

    // Whether the kernel has IPv6, without which a wildcard address is IPv4's; null until it is known.
    private volatile @Nullable Boolean hasIpv6;

    private LibcSockets() {}

    private boolean hasIpv6() throws IOException {
        Boolean known = hasIpv6;
        if (known == null) {
            known = SocketCalls.hasIpv6();
            hasIpv6 = known;
        }
        return known;
    }

    @Override
    public String name() {
        return "libc";
    }

    @Override
    public Poller poller() throws IOException {
        return new EpollPoller();
    }

    @Override
    public TcpSocket open(boolean ipv6) throws IOException {
        int descriptor = SocketCalls.socket(ipv6);
        try {
            return LibcSocket.of(descriptor, null);
        } catch (IOException | RuntimeException | Error e) {
            SocketCalls.close(descriptor);
            throw e;
        }
    }

    @Override
    public TcpServer listen(InetSocketAddress local, int backlog, boolean reuseAddress) throws IOException {
        return listen(local, backlog, reuseAddress, false);
    }

    @Override
    public TcpServer listen(InetSocketAddress local, int backlog, boolean reuseAddress, boolean ipv4Only)
            throws IOException {
        InetAddress address = local.getAddress();
        boolean both = address.isAnyLocalAddress() && !ipv4Only && hasIpv6();
        boolean ipv6 = both || address instanceof Inet6Address;
        int descriptor = SocketCalls.socket(ipv6);
        try {
            SocketCalls.option(descriptor, Libc.SOL_SOCKET(), Libc.SO_REUSEADDR(), reuseAddress ? 1 : 0);
            if (ipv6) {
                SocketCalls.option(descriptor, Libc.IPPROTO_IPV6(), Libc.IPV6_V6ONLY(), both ? 0 : 1);
            }
            SocketCalls.bind(descriptor, both ? wildcard(local.getPort()) : local);
            LibcSocket.prepare(); // before the first peer comes, who would wait for it
            SocketCalls.listen(descriptor, backlog);
            return new LibcServer(descriptor);
        } catch (IOException | RuntimeException | Error e) {
            SocketCalls.close(descriptor);
            throw e;
        }
    }

    private static InetSocketAddress wildcard(int port) throws IOException {
        return new InetSocketAddress(InetAddress.getByAddress(new byte[16]), port);
    }
}
