package org.panamaverbs.iwarp.net.unix;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Whether a network interface leads to other network namespaces of this host, as containers have them. Any thread. */
public final class OutwardLink {
    private static final Path INTERFACES = Path.of("/sys/class/net");
    // Those of this host, of which few are used.
    private static final int MOST_KNOWN = 64;
    private static final Map<InetAddress, Boolean> KNOWN = new ConcurrentHashMap<>();

    private OutwardLink() {}

    /** Tells whether the interface that has {@code local} is a bridge, or one whose other end is elsewhere, as veth. */
    public static boolean has(InetAddress local) {
        Boolean known = KNOWN.get(local);
        if (known != null) {
            return known;
        }
        boolean found = look(local);
        if (KNOWN.size() >= MOST_KNOWN) {
            // Addresses come and go.
            KNOWN.clear();
        }
        KNOWN.put(local, found);
        return found;
    }

    private static boolean look(InetAddress local) {
        try {
            NetworkInterface owner = NetworkInterface.getByInetAddress(local);
            return owner != null && leadsOut(INTERFACES.resolve(owner.getName()));
        } catch (IOException e) {
            // No such interface any more, or nothing is to be seen of it here.
            return false;
        }
    }

    private static boolean leadsOut(Path link) throws IOException {
        if (Files.isDirectory(link.resolve("bridge"))) {
            return true;
        }
        boolean isEnd = number(link.resolve("iflink")).equals(number(link.resolve("ifindex")));
        // One on top of another of the same namespace, as a VLAN, shows that one.
        return !isEnd && !hasLower(link);
    }

    private static boolean hasLower(Path link) throws IOException {
        try (var lower = Files.newDirectoryStream(link, "lower_*")) {
            return lower.iterator().hasNext();
        }
    }

    private static String number(Path file) throws IOException {
        return Files.readString(file).strip();
    }
}
