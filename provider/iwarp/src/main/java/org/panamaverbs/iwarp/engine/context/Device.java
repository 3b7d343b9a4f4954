package org.panamaverbs.iwarp.engine.context;

import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.panamaverbs.api.Capabilities;
import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.api.DeviceInfo;
import org.panamaverbs.api.DeviceInfo.Port;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.support.Limits;

/** The one device: what it is called and what it can do. */
public final class Device {
    /** Its name. */
    public static final String NAME = "iwarp0";

    /** Registrations and windows together. */
    public static final int MAX_REGIONS = 1 << 16;

    /** Private data of an enhanced MPA frame, behind the depths (RFC 6581 §6). */
    public static final int MAX_PRIVATE_DATA_ENHANCED = 508;

    /** Private data of an MPA frame (RFC 5044 §7.1.1). */
    public static final int MAX_PRIVATE_DATA = 512;

    private static final int MAX_QP = 1 << 16;
    private static final int MAX_QP_WR = 1 << 15;
    private static final int MAX_SGE = 16;
    private static final int MAX_SGE_READ = 1;
    private static final int MAX_INLINE = 1024;
    private static final int MAX_CQ = 1 << 16;
    private static final int MAX_CQE = 1 << 22;
    private static final long MAX_MR_BYTES = 1L << 47;
    private static final int MAX_PD = 1 << 16;
    private static final int MAX_SRQ = 1 << 16;
    private static final int MAX_SRQ_WR = 1 << 16;
    private static final int MAX_DEPTH = 128;
    private static final long MAX_MESSAGE = 0xFFFF_FFFFL;
    private static final int IMMEDIATE_BYTES = 8;

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
            Feature.CQ_RESIZE,
            Feature.EXTENDED_CQ,
            Feature.ZERO_BASED,
            Feature.READ_SINK_LOCAL_WRITE,
            Feature.NO_RECEIVER_RETRY,
            Feature.TLS);

    /** What it can do. */
    public static final Capabilities CAPABILITIES = new Capabilities(
            MAX_QP,
            MAX_QP_WR,
            MAX_SGE,
            MAX_SGE_READ,
            MAX_INLINE,
            MAX_CQ,
            MAX_CQE,
            MAX_REGIONS,
            MAX_MR_BYTES,
            MAX_REGIONS,
            MAX_PD,
            MAX_SRQ,
            MAX_SRQ_WR,
            MAX_DEPTH,
            MAX_DEPTH,
            MAX_MESSAGE,
            MAX_PRIVATE_DATA_ENHANCED,
            IMMEDIATE_BYTES,
            EnumSet.of(QueuePairType.RC),
            FEATURES);

    public static final Limits LIMITS = new Limits(CAPABILITIES, NAME);

    private Device() {}

    /** Describes it; its ports are the network interfaces. */
    public static DeviceInfo describe() {
        return new DeviceInfo(NAME, DeviceInfo.Transport.IWARP, "software iWARP over TCP, in Java", "", 0, ports());
    }

    private static List<Port> ports() {
        List<Port> ports = new ArrayList<>();
        try {
            for (NetworkInterface network : Collections.list(NetworkInterface.getNetworkInterfaces())) {
                List<String> addresses = network.getInterfaceAddresses().stream()
                        .map(InterfaceAddress::getAddress)
                        .map(InetAddress::getHostAddress)
                        .toList();
                if (!addresses.isEmpty()) {
                    ports.add(new Port(ports.size() + 1, network.isUp(), mtu(network), addresses));
                }
            }
        } catch (SocketException e) {
            System.getLogger(Device.class.getName())
                    .log(System.Logger.Level.DEBUG, "the network interfaces cannot be listed", e);
        }
        return ports;
    }

    private static int mtu(NetworkInterface network) throws SocketException {
        return Path.segmentBytes(network.getMTU(), Path.IPV4_HEADERS);
    }
}
