package org.panamaverbs.bench.compare.contestant;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** TCP ports of this machine, for programs that do not choose one themselves. */
final class Ports {
    private static final String LISTEN = "0A"; // include/net/tcp_states.h: TCP_LISTEN

    private Ports() {}

    /** Returns a port that was free a moment ago. */
    static int free() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Asks the kernel whether somebody listens: a connection would be taken for the client. */
    static boolean isListening(int port) throws IOException {
        return listens(Path.of("/proc/net/tcp"), port) || listens(Path.of("/proc/net/tcp6"), port);
    }

    private static boolean listens(Path table, int port) throws IOException {
        if (!Files.exists(table)) {
            return false;
        }
        String end = String.format(Locale.ROOT, ":%04X", port);
        return Files.readAllLines(table).stream()
                .map(line -> line.strip().split(" +", -1))
                .anyMatch(fields -> fields.length > 3 && fields[1].endsWith(end) && fields[3].equals(LISTEN));
    }
}
