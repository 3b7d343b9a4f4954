package org.panamaverbs.api.cm;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;

/**
 * Address lookup by host and service names, as by {@code rdma_getaddrinfo(3)}: hosts through the JDK's resolver,
 * services by number or in {@code /etc/services} under TCP. A link-local address has its scope, as in
 * {@code fe80::1%eth0}. No device is queried: connecting or listening shows which one has an address. Calls block as
 * long as the name servers take.
 */
public final class AddressInfo {
    private static final Path SERVICES = Path.of("/etc/services");
    private static final String TCP = "/tcp";
    private static final int MOST_PORT = 65_535;

    private AddressInfo() {}

    /**
     * Returns the addresses to connect to, in the resolver's order; at least one.
     *
     * @param node a host name or address
     * @param service a port or service name, for example {@code 7174} or {@code iscsi-target}
     * @throws ConnectionException with reason {@link Reason#UNREACHABLE} if the host is unknown
     * @throws IllegalArgumentException if the service is unknown
     */
    public static List<InetSocketAddress> of(String node, String service) {
        return of(node, port(service, SERVICES));
    }

    /**
     * Returns the addresses to listen at on all interfaces ({@code RAI_PASSIVE}): IPv6, which usually accepts IPv4
     * peers as well, then IPv4; IPv4 only with {@code -Djava.net.preferIPv4Stack=true}.
     *
     * @param service as for {@link #of}
     * @throws IllegalArgumentException if the service is unknown
     */
    public static List<InetSocketAddress> passive(String service) {
        int port = port(service, SERVICES);
        InetSocketAddress ipv4 = new InetSocketAddress(InetAddress.ofLiteral("0.0.0.0"), port);
        return Boolean.getBoolean("java.net.preferIPv4Stack")
                ? List.of(ipv4)
                : List.of(new InetSocketAddress(InetAddress.ofLiteral("::"), port), ipv4);
    }

    private static List<InetSocketAddress> of(String node, int port) {
        try {
            List<InetSocketAddress> found = new ArrayList<>();
            for (InetAddress address : InetAddress.getAllByName(node)) {
                found.add(new InetSocketAddress(address, port));
            }
            return List.copyOf(found);
        } catch (UnknownHostException e) {
            throw new ConnectionException(
                    "resolve",
                    Reason.UNREACHABLE,
                    "the host " + node + " is unknown; remedy: check the name, /etc/hosts and the name servers in"
                            + " /etc/resolv.conf: `getent hosts " + node + "`",
                    e);
        }
    }

    /** Returns the port of {@code service}, a number or a name in the file {@code services}. */
    static int port(String service, Path services) {
        OptionalInt found =
                service.matches("[0-9]{1,5}") ? OptionalInt.of(Integer.parseInt(service)) : OptionalInt.empty();
        int port = found.orElseGet(() -> named(service, services));
        if (port > MOST_PORT) {
            throw new IllegalArgumentException("a port is 0 to " + MOST_PORT + ", got " + service);
        }
        return port;
    }

    private static int named(String service, Path services) {
        try {
            // services(5): name port/protocol [aliases], # begins a comment. Not UTF-8 everywhere.
            for (String line : Files.readAllLines(services, StandardCharsets.ISO_8859_1)) {
                String[] words = line.replaceFirst("#.*", "").strip().split("\\s+");
                boolean tcp = words.length > 1 && words[1].matches("[0-9]{1,5}" + TCP);
                if (tcp
                        && (words[0].equals(service)
                                || Arrays.asList(words).subList(2, words.length).contains(service))) {
                    return Integer.parseInt(words[1].substring(0, words[1].length() - TCP.length()));
                }
            }
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "service " + service + " is not a number, and " + services + " cannot be read; remedy: give the"
                            + " port number",
                    e);
        }
        throw new IllegalArgumentException("service " + service + " is not a number, and " + services
                + " does not list it under TCP; remedy: give the port number");
    }
}
