package org.panamaverbs.iwarp.engine;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Sockets of peers that do as a test pleases. */
final class Raw {
    static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private Raw() {}

    /** Returns a socket that is connected from {@code host} of the loopback network. */
    static Socket connect(InetSocketAddress to, String host) throws IOException {
        Socket socket = new Socket();
        try {
            socket.bind(new InetSocketAddress(InetAddress.getByName(host), 0));
            socket.setTcpNoDelay(true);
            socket.connect(to, 20_000);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Returns an address of this host that is not loopback, without which the test is skipped. */
    static InetAddress addressBesideLoopback() throws IOException {
        Optional<InetAddress> found = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .findFirst();
        assumeTrue(found.isPresent(), "this host has no address but loopback");
        return found.orElseThrow();
    }

    /** Tells whether the other side closes or resets within {@code millis}; bytes before are skipped. */
    static boolean closedWithin(Socket socket, int millis) throws IOException {
        socket.setSoTimeout(millis);
        try {
            return socket.getInputStream().skip(Long.MAX_VALUE) >= 0
                    && socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            // Reset.
            return true;
        }
    }

    /** Has the connection reset instead of closed. */
    static void reset(Socket socket) throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    /** Waits until {@code condition} holds. */
    static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not in time: " + what);
            }
            Thread.yield();
        }
    }
}
