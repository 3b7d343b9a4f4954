package org.panamaverbs.iwarp.net;

import java.io.FileInputStream;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.panamaverbs.bindings.libc.Libc;

/** Touches the system's sockets first in a JVM that has no descriptor left, and listens once it has; prints both. */
final class ScarceWildcard {
    private static final InetSocketAddress WILDCARD = new InetSocketAddress(0);

    private ScarceWildcard() {}

    public static void main(String[] arguments) throws Exception {
        // What is loaded later needs a descriptor.
        SocketCalls.close(SocketCalls.socket(false));
        String words = LibcErrors.of("socket", Libc.EMFILE()).getMessage();
        int loaded = SystemSockets.obstacle().isPresent() ? 1 : 0;
        for (Class<?> used : List.of(LibcSockets.class, LibcServer.class, TcpServer.class)) {
            loaded += used.getDeclaredMethods().length;
        }
        List<FileInputStream> held = new ArrayList<>();
        fill(held);
        String failure = "not " + words + " with " + loaded + " methods";
        try {
            SystemSockets.libc().listen(WILDCARD, 1, true).close();
        } catch (IOException e) {
            failure = e.getMessage();
        }
        for (FileInputStream one : held) {
            one.close();
        }
        System.out.println("failure=" + failure);
        TcpServer server = SystemSockets.libc().listen(WILDCARD, 1, true);
        System.out.println("ipv6=" + (server.localAddress().getAddress() instanceof Inet6Address));
        server.close();
    }

    private static void fill(List<FileInputStream> held) {
        try {
            while (true) {
                held.add(new FileInputStream("/dev/null"));
            }
        } catch (IOException e) {
            // There are no more.
        }
    }
}
