package org.panamaverbs.disni;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/** An address of the loopback that is nobody else's, so that programs with fixed ports can run at any time. */
record Loopback(String host) {
    static Loopback fresh() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return new Loopback("127." + random.nextInt(1, 255) + "." + random.nextInt(255) + "." + random.nextInt(1, 255));
    }

    /** Tells whether somebody listens there, without being taken for a peer: by the tables of Linux. */
    boolean isListening(int port) throws IOException {
        byte[] octets = InetAddress.ofLiteral(host).getAddress();
        byte[] reversed = {octets[3], octets[2], octets[1], octets[0]};
        String wanted = HexFormat.of().withUpperCase().formatHex(reversed) + String.format(Locale.ROOT, ":%04X", port);
        return listens("/proc/net/tcp", wanted) || listens("/proc/net/tcp6", wanted);
    }

    private static boolean listens(String table, String wanted) throws IOException {
        Path path = Path.of(table);
        return Files.exists(path)
                && Files.readString(path)
                        .lines()
                        .map(line -> line.strip().split("\\s+"))
                        .anyMatch(row -> row.length > 3 && row[1].endsWith(wanted) && row[3].equals("0A"));
    }
}
