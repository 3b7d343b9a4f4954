package org.panamaverbs.ibverbs.queuepair;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.nio.ByteOrder;
import org.panamaverbs.api.ext.FlowRule;
import org.panamaverbs.api.ext.FlowSpec;
import org.panamaverbs.api.ext.MacAddress;
import org.panamaverbs.api.ext.Match;
import org.panamaverbs.api.ext.Prefix;
import org.panamaverbs.ibverbs.context.IbvContext;

/**
 * Writes a {@code struct ibv_flow_attr} with its {@code struct ibv_flow_spec}s behind it. A spec is its type, its size,
 * the value of its filter and the mask of its filter; what is of the network is in the network's order. It is the same
 * on all architectures but for the order of bytes: the only pointer in it, of counters, has 64 bits, and lies behind
 * the other specs without regard to its alignment.
 */
final class FlowAttributes {
    private static final int ATTRIBUTES_BYTES = 20;
    private static final int LARGEST_SPEC = 88;
    // struct ibv_flow_attr
    private static final int TYPE = 4;
    private static final int SIZE = 8;
    private static final int PRIORITY = 10;
    private static final int SPECS = 12;
    private static final int PORT = 13;
    private static final int FLAGS = 16;
    private static final int DONT_TRAP = 1 << 1; // enum ibv_flow_flags
    private static final int EGRESS = 1 << 2;
    // struct ibv_flow_spec, hdr
    private static final int SPEC_SIZE = 4;
    // enum ibv_flow_spec_type
    private static final int ETH = 0x20;
    private static final int IPV4 = 0x30;
    private static final int IPV6 = 0x31;
    private static final int IPV4_EXT = 0x32;
    private static final int TCP = 0x40;
    private static final int UDP = 0x41;
    private static final int VXLAN = 0x50;
    private static final int GRE = 0x51;
    private static final int MPLS = 0x60;
    private static final int INNER = 0x100;
    private static final int TAG = 0x1000;
    private static final int DROP = 0x1001;
    private static final int COUNT = 0x1003;

    private static final ValueLayout.OfShort NETWORK_SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt NETWORK_INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final IbvContext context;
    private final MemorySegment memory;
    private int end = ATTRIBUTES_BYTES;

    private FlowAttributes(IbvContext context, MemorySegment memory) {
        this.context = context;
        this.memory = memory;
    }

    /**
     * Returns the attributes that say what {@code rule} does on {@code context}, as long as their size says.
     *
     * @throws IllegalArgumentException if its counters are of another device
     */
    static MemorySegment of(FlowRule rule, IbvContext context, Arena arena) {
        int most = ATTRIBUTES_BYTES + rule.specs().size() * LARGEST_SPEC;
        FlowAttributes attributes = new FlowAttributes(context, arena.allocate(most, Integer.BYTES));
        rule.specs().forEach(attributes::add);
        return attributes.complete(rule);
    }

    private MemorySegment complete(FlowRule rule) {
        int flags = (rule.flags().contains(FlowRule.Flag.DONT_TRAP) ? DONT_TRAP : 0)
                | (rule.flags().contains(FlowRule.Flag.EGRESS) ? EGRESS : 0);
        memory.set(JAVA_INT, TYPE, code(rule.type()));
        memory.set(JAVA_SHORT, SIZE, (short) end);
        memory.set(JAVA_SHORT, PRIORITY, (short) rule.priority());
        memory.set(JAVA_BYTE, SPECS, (byte) rule.specs().size());
        memory.set(JAVA_BYTE, PORT, (byte) rule.port());
        memory.set(JAVA_INT, FLAGS, flags);
        return memory.asSlice(0, end);
    }

    // enum ibv_flow_attr_type
    private static int code(FlowRule.Type type) {
        return switch (type) {
            case NORMAL -> 0;
            case ALL_DEFAULT -> 1;
            case MC_DEFAULT -> 2;
            case SNIFFER -> 3;
        };
    }

    private void add(FlowSpec spec) {
        switch (spec) {
            case FlowSpec.Ethernet ethernet -> add(ethernet);
            case FlowSpec.Ipv4 ipv4 -> add(ipv4);
            case FlowSpec.Ipv6 ipv6 -> add(ipv6);
            case FlowSpec.Ports ports -> add(ports);
            case FlowSpec.Vxlan vxlan -> addWord(VXLAN, vxlan.network());
            case FlowSpec.Gre gre -> add(gre);
            case FlowSpec.Mpls mpls -> addWord(MPLS, mpls.entry());
            case FlowSpec.Inner inner -> {
                int at = end;
                add(inner.header());
                memory.set(JAVA_INT, at, memory.get(JAVA_INT, at) | INNER);
            }
            case FlowSpec.Tag tag -> {
                int at = begin(TAG, 12);
                memory.set(JAVA_INT, at + 8, tag.tag());
            }
            case FlowSpec.Count count -> {
                int at = begin(COUNT, 16);
                long counters =
                        IbvFlowCounters.own(count.counters(), context).handle().address();
                memory.set(JAVA_LONG_UNALIGNED, at + 8, counters);
            }
            case FlowSpec.Drop drop -> begin(DROP, 8);
        }
    }

    /** Begins a spec of {@code bytes} bytes, and returns where it is. */
    private int begin(int type, int bytes) {
        int at = end;
        memory.set(JAVA_INT, at, type);
        memory.set(JAVA_SHORT, at + SPEC_SIZE, (short) bytes);
        end += bytes;
        return at;
    }

    /** {@code struct ibv_flow_spec_eth}: filters of 16 bytes at 6 and 22. */
    private void add(FlowSpec.Ethernet spec) {
        int value = begin(ETH, 40) + 6;
        int mask = value + 16;
        putMac(spec.destination(), value, mask);
        putMac(spec.source(), value + MacAddress.BYTES, mask + MacAddress.BYTES);
        putShort(spec.etherType(), value + 12, mask + 12);
        putShort(spec.vlanTag(), value + 14, mask + 14);
    }

    /** {@code struct ibv_flow_spec_ipv4}: filters of 8 bytes at 8 and 16; {@code _ext}: of 12 at 8 and 20. */
    private void add(FlowSpec.Ipv4 spec) {
        boolean addresses = spec.isAddressesAlone();
        int value = addresses ? begin(IPV4, 24) + 8 : begin(IPV4_EXT, 32) + 8;
        int mask = value + (addresses ? 8 : 12);
        putPrefix(spec.source(), value, mask);
        putPrefix(spec.destination(), value + 4, mask + 4);
        if (!addresses) {
            putByte(spec.protocol(), value + 8, mask + 8);
            putByte(spec.typeOfService(), value + 9, mask + 9);
            putByte(spec.timeToLive(), value + 10, mask + 10);
            putByte(spec.flags(), value + 11, mask + 11);
        }
    }

    /** {@code struct ibv_flow_spec_ipv6}: filters of 40 bytes at 8 and 48. */
    private void add(FlowSpec.Ipv6 spec) {
        int value = begin(IPV6, 88) + 8;
        int mask = value + 40;
        putPrefix(spec.source(), value, mask);
        putPrefix(spec.destination(), value + 16, mask + 16);
        putInt(spec.flowLabel(), value + 32, mask + 32);
        putByte(spec.nextHeader(), value + 36, mask + 36);
        putByte(spec.trafficClass(), value + 37, mask + 37);
        putByte(spec.hopLimit(), value + 38, mask + 38);
    }

    /** {@code struct ibv_flow_spec_tcp_udp}: filters of 4 bytes at 6 and 10. */
    private void add(FlowSpec.Ports spec) {
        int type = spec.protocol() == FlowSpec.Ports.Protocol.TCP ? TCP : UDP;
        int value = begin(type, 16) + 6;
        int mask = value + 4;
        putShort(spec.destination(), value, mask);
        putShort(spec.source(), value + 2, mask + 2);
    }

    /** {@code struct ibv_flow_spec_gre}: filters of 8 bytes at 8 and 16. */
    private void add(FlowSpec.Gre spec) {
        int value = begin(GRE, 24) + 8;
        int mask = value + 8;
        putShort(spec.flags(), value, mask);
        putShort(spec.protocol(), value + 2, mask + 2);
        putInt(spec.key(), value + 4, mask + 4);
    }

    /** {@code struct ibv_flow_spec_tunnel} and {@code ibv_flow_spec_mpls}: filters of 4 bytes at 8 and 12. */
    private void addWord(int type, Match match) {
        int value = begin(type, 16) + 8;
        putInt(match, value, value + 4);
    }

    private void putMac(Match match, int value, int mask) {
        putMac(match.value(), value);
        putMac(match.mask(), mask);
    }

    private void putMac(long bits, int at) {
        memory.set(NETWORK_SHORT, at, (short) (bits >>> Integer.SIZE));
        memory.set(NETWORK_INT, at + Short.BYTES, (int) bits);
    }

    private void putShort(Match match, int value, int mask) {
        memory.set(NETWORK_SHORT, value, (short) match.value());
        memory.set(NETWORK_SHORT, mask, (short) match.mask());
    }

    private void putInt(Match match, int value, int mask) {
        memory.set(NETWORK_INT, value, (int) match.value());
        memory.set(NETWORK_INT, mask, (int) match.mask());
    }

    private void putByte(Match match, int value, int mask) {
        memory.set(JAVA_BYTE, value, (byte) match.value());
        memory.set(JAVA_BYTE, mask, (byte) match.mask());
    }

    private void putPrefix(Prefix prefix, int value, int mask) {
        InetAddress address = prefix.address();
        byte[] octets = address.getAddress();
        for (int i = 0; i < octets.length; i++) {
            int bits = Math.clamp(prefix.bits() - (long) i * Byte.SIZE, 0, Byte.SIZE);
            byte counts = (byte) (0xFF << (Byte.SIZE - bits));
            memory.set(JAVA_BYTE, value + i, (byte) (octets[i] & counts));
            memory.set(JAVA_BYTE, mask + i, counts);
        }
    }
}
