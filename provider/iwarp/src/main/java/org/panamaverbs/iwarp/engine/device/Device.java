package org.panamaverbs.iwarp.engine.device;

import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.device.DeviceInfo;
import org.panamaverbs.api.device.DeviceInfo.Port;
import org.panamaverbs.spi.support.Limits;

/** The one device: what it is called and what it can do. */
@SuppressWarnings("EnumOrdinal") // a bit for each operation is the cheapest to ask before each post
public final class Device {
    /** Its name. */
    public static final String PROVIDER = "iwarp";

    public static final String NAME = "iwarp0";

    /** Registrations and windows together. */
    public static final int MAX_REGIONS = 1 << 16;

    /** Private data of an enhanced MPA frame, behind the depths (RFC 6581 §6). */
    public static final int MAX_PRIVATE_DATA_ENHANCED = 508;

    /** Private data of an MPA frame (RFC 5044 §7.1.1). */
    public static final int MAX_PRIVATE_DATA = 512;

    private static final int MAX_DEPTH = 128;

    private static final Set<Feature> FEATURES = EnumSet.of(
            Feature.SEND_WITH_INVALIDATE,
            Feature.WRITE_WITH_IMMEDIATE,
            Feature.STANDALONE_IMMEDIATE,
            Feature.ATOMICS,
            Feature.MASKED_ATOMICS,
            Feature.GLOBAL_ATOMICS,
            Feature.MEMORY_WINDOW_TYPE_1,
            Feature.MEMORY_WINDOW_TYPE_2,
            Feature.LOCAL_INVALIDATE,
            Feature.SHARED_RECEIVE_QUEUE,
            Feature.SRQ_RESIZE,
            Feature.CQ_RESIZE,
            Feature.EXTENDED_CQ,
            Feature.ZERO_BASED,
            Feature.READ_SINK_LOCAL_WRITE,
            Feature.NO_RECEIVER_RETRY,
            Feature.TLS,
            Feature.STATISTICS);

    /** What it can do. */
    public static final Capabilities CAPABILITIES = Capabilities.builder()
            .maxQp(1 << 16)
            .maxQpWr(1 << 15)
            .maxSge(16)
            // RFC 5040 §4.4: a Read has one sink.
            .maxSgeRead(1)
            .maxInlineBytes(1024)
            .maxCq(1 << 16)
            .maxCqe(1 << 22)
            .maxMr(MAX_REGIONS)
            .maxMrBytes(1L << 47)
            .maxMw(MAX_REGIONS)
            .maxPd(1 << 16)
            .maxSrq(1 << 16)
            .maxSrqWr(1 << 16)
            .maxInitiatorDepth(MAX_DEPTH)
            .maxResponderResources(MAX_DEPTH)
            .maxMessageBytes(0xFFFF_FFFFL)
            .maxPrivateData(MAX_PRIVATE_DATA_ENHANCED)
            .maxAcceptPrivateData(MAX_PRIVATE_DATA_ENHANCED)
            .maxRejectPrivateData(MAX_PRIVATE_DATA_ENHANCED)
            // The event loop.
            .completionVectors(1)
            .immediateBytes(8)
            .queuePairTypes(EnumSet.of(QueuePairType.RC))
            .features(FEATURES)
            .build();

    public static final Limits LIMITS = new Limits(CAPABILITIES, NAME);

    // A bit for each operation.
    private static final long LACKED = Arrays.stream(SendOpcode.values())
            .filter(operation -> !CAPABILITIES.has(operation))
            .mapToLong(operation -> 1L << operation.ordinal())
            .sum();

    private static final PortNumbers NUMBERS = new PortNumbers();

    private Device() {}

    /** Tells whether {@link #LIMITS} refuse {@code operation}. */
    public static boolean lacks(SendOpcode operation) {
        return (LACKED >>> operation.ordinal() & 1) != 0;
    }

    /**
     * Describes the device; its ports are the network interfaces that have addresses. Port 1 is not the loopback if
     * another interface was there when this process described the device first; whether it leads to other machines is
     * not checked. An interface that comes or goes does not change the number of another.
     */
    public static DeviceInfo describe() {
        return new DeviceInfo(NAME, DeviceInfo.Transport.IWARP, "software iWARP over TCP, in Java", "", 0, ports());
    }

    private static List<Port> ports() {
        List<Port> ports = new ArrayList<>();
        try {
            List<NetworkInterface> networks = NetworkInterface.networkInterfaces()
                    .filter(network -> !network.getInterfaceAddresses().isEmpty())
                    .toList();
            List<Integer> numbers = NUMBERS.of(networks, NetworkInterface::getIndex, Device::isLoopback);
            for (int i = 0; i < networks.size(); i++) {
                NetworkInterface network = networks.get(i);
                List<String> addresses = network.getInterfaceAddresses().stream()
                        .map(InterfaceAddress::getAddress)
                        .map(InetAddress::getHostAddress)
                        .toList();
                ports.add(new Port(numbers.get(i), network.isUp(), mtu(network), addresses));
            }
        } catch (SocketException e) {
            System.getLogger(Device.class.getName())
                    .log(System.Logger.Level.DEBUG, "the network interfaces cannot be listed", e);
        }
        ports.sort(Comparator.comparingInt(Port::number));
        return ports;
    }

    private static boolean isLoopback(NetworkInterface network) {
        return network.inetAddresses().anyMatch(InetAddress::isLoopbackAddress);
    }

    private static int mtu(NetworkInterface network) throws SocketException {
        return Path.segmentBytes(network.getMTU(), Path.IPV4_HEADERS);
    }
}
