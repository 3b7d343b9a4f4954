package org.panamaverbs.sockets.programs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.Arrays;
import java.util.Random;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSocketFactory;

/** A server of the JDK's TLS over {@code java.net} that gives back what it reads, and clients that check that. */
final class TlsEcho {
    private static final int MOST_BYTES = 100_000;

    private TlsEcho() {}

    /** Runs {@code server}, or {@code client PORT CONNECTIONS MESSAGES}; keys are the process's by property. */
    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("server")) {
            serve();
        } else {
            int connections = Integer.parseInt(arguments[2]);
            int messages = Integer.parseInt(arguments[3]);
            for (int i = 0; i < connections; i++) {
                converse(Integer.parseInt(arguments[1]), new Random(i), messages);
            }
            System.out.println("checked " + connections * messages);
        }
        System.out.println("ended");
    }

    private static void serve() throws Exception {
        SSLServerSocket server = (SSLServerSocket)
                SSLServerSocketFactory.getDefault().createServerSocket(0, 5, InetAddress.getLoopbackAddress());
        System.out.println("port " + server.getLocalPort());
        Thread accepting = Thread.ofVirtual().start(() -> accept(server));
        while (System.in.read() >= 0) {
            // Until who started it closes the input.
        }
        server.close();
        accepting.join();
    }

    private static void accept(SSLServerSocket server) {
        while (true) {
            try {
                Socket accepted = server.accept();
                Thread.ofVirtual().start(() -> echo(accepted));
            } catch (SocketException e) {
                return; // closed
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static void echo(Socket accepted) {
        try (accepted) {
            accepted.getInputStream().transferTo(accepted.getOutputStream());
        } catch (IOException e) {
            System.out.println("failed " + e);
        }
    }

    private static void converse(int port, Random random, int messages) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                Socket secure = ((SSLSocketFactory) SSLSocketFactory.getDefault())
                        .createSocket(socket, "localhost", port, true)) {
            secure.setSoTimeout(30_000);
            for (int i = 0; i < messages; i++) {
                byte[] octets = new byte[1 + random.nextInt(MOST_BYTES)];
                random.nextBytes(octets);
                secure.getOutputStream().write(octets);
                if (!Arrays.equals(secure.getInputStream().readNBytes(octets.length), octets)) {
                    throw new IllegalStateException("another answer");
                }
            }
        }
    }
}
