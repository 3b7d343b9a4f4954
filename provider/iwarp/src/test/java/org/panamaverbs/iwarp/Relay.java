package org.panamaverbs.iwarp;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.util.SplittableRandom;

/**
 * A network that is neither quick nor even: takes one connection and passes its octets on in pieces of any size, each
 * direction for itself, and now and then lets some time pass with the octets in its hands.
 */
final class Relay {
    private static final int MOST_OCTETS = 3000;
    private static final int MOST_YIELDS = 2000;

    private final ServerSocket server;
    private final InetSocketAddress target;
    private final SplittableRandom random;

    private Relay(ServerSocket server, InetSocketAddress target, SplittableRandom random) {
        this.server = server;
        this.target = target;
        this.random = random;
    }

    /** Opens one to {@code target} and returns where it listens. */
    static InetSocketAddress to(InetSocketAddress target, SplittableRandom random) {
        try {
            ServerSocket server = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"));
            Relay relay = new Relay(server, target, random);
            Thread.ofVirtual().start(relay::run);
            return (InetSocketAddress) server.getLocalSocketAddress();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void run() {
        try (server;
                Socket from = server.accept();
                Socket to = new Socket(target.getAddress(), target.getPort())) {
            from.setTcpNoDelay(true);
            to.setTcpNoDelay(true);
            SplittableRandom forth = random.split();
            SplittableRandom back = random.split();
            Thread other = Thread.ofVirtual().start(() -> pass(to, from, back));
            pass(from, to, forth);
            other.join();
        } catch (IOException | InterruptedException e) {
            // Whoever is connected through it sees its end break.
            Thread.currentThread().interrupt();
        }
    }

    private static void pass(Socket from, Socket to, SplittableRandom random) {
        byte[] held = new byte[MOST_OCTETS];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int octets = read(in, held, random); octets >= 0; octets = read(in, held, random)) {
                for (int i = random.nextInt(4) == 0 ? random.nextInt(MOST_YIELDS) : 0; i > 0; i--) {
                    Thread.yield();
                }
                out.write(held, 0, octets);
            }
            to.shutdownOutput();
        } catch (IOException e) {
            reset(from);
            reset(to);
        }
    }

    private static int read(InputStream in, byte[] held, SplittableRandom random) throws IOException {
        return in.read(held, 0, 1 + random.nextInt(held.length));
    }

    private static void reset(Socket socket) {
        // try-with-resources closes also what is broken already.
        try (socket) {
            socket.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException e) {
            System.getLogger(Relay.class.getName()).log(System.Logger.Level.DEBUG, "was closed before", e);
        }
    }
}
