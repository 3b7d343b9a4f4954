package org.panamaverbs.api.ext;

import java.net.InetAddress;

/**
 * A condition or action of a {@link FlowRule}, {@code struct ibv_flow_spec}. A condition matches all fields of one
 * header; an action says what happens to matching packets. Start with the layer's {@code any()} and set the fields to
 * compare.
 *
 * <p>The spec of a tunnel stands between the outer headers and the inner ones, each of which is an {@link Inner}. ESP
 * is not supported.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_create_flow.3.html">ibv_create_flow(3)</a>
 */
public sealed interface FlowSpec {
    /**
     * The Ethernet header, {@code struct ibv_flow_spec_eth}.
     *
     * @param destination the destination address, 48 bits
     * @param source the source address, 48 bits
     * @param etherType 16 bits, such as 0x0800 for IPv4
     * @param vlanTag 16 bits of 802.1Q: priority, CFI, and a 12-bit VLAN number
     */
    record Ethernet(Match destination, Match source, Match etherType, Match vlanTag) implements FlowSpec {
        private static final int ADDRESS_BITS = 48;
        private static final int VLAN_BITS = 12;

        /**
         * Checks the widths.
         *
         * @throws IllegalArgumentException if a mask is wider than its field
         */
        public Ethernet {
            destination.requireFits("destination", ADDRESS_BITS);
            source.requireFits("source", ADDRESS_BITS);
            etherType.requireFits("etherType", Short.SIZE);
            vlanTag.requireFits("vlanTag", Short.SIZE);
        }

        /** Matches any frame. */
        public static Ethernet any() {
            return new Ethernet(Match.ANY, Match.ANY, Match.ANY, Match.ANY);
        }

        /** Returns a copy for frames to {@code address}. */
        public Ethernet withDestination(MacAddress address) {
            return new Ethernet(Match.exactly(address.bits(), ADDRESS_BITS), source, etherType, vlanTag);
        }

        /** Returns a copy for frames from {@code address}. */
        public Ethernet withSource(MacAddress address) {
            return new Ethernet(destination, Match.exactly(address.bits(), ADDRESS_BITS), etherType, vlanTag);
        }

        /** Returns a copy for frames of {@code type}, 0 to 0xFFFF. */
        public Ethernet withEtherType(int type) {
            return new Ethernet(destination, source, Match.exactly(type, Short.SIZE), vlanTag);
        }

        /** Returns a copy for frames of VLAN {@code number}, 0 to 4095, of any priority. */
        public Ethernet withVlan(int number) {
            return new Ethernet(destination, source, etherType, Match.exactly(number, VLAN_BITS));
        }
    }

    /**
     * The IPv4 header, {@code struct ibv_flow_spec_ipv4}; if other fields than addresses are set,
     * {@code ibv_flow_spec_ipv4_ext}, which not every device supports.
     *
     * @param source the source address
     * @param destination the destination address
     * @param protocol 8 bits, such as 17 for UDP
     * @param typeOfService 8 bits
     * @param timeToLive 8 bits
     * @param flags 8 bits of the kernel's {@code enum ibv_flow_ipv4_ext_flags}: 1 for all but the first fragment, 2 for
     *     those that must not be fragmented
     */
    record Ipv4(Prefix source, Prefix destination, Match protocol, Match typeOfService, Match timeToLive, Match flags)
            implements FlowSpec {
        private static final int OCTETS = 4;

        /**
         * Checks families and widths.
         *
         * @throws IllegalArgumentException if an address is not of IPv4, or a mask is wider than its field
         */
        public Ipv4 {
            source.require(OCTETS, "IPv4");
            destination.require(OCTETS, "IPv4");
            protocol.requireFits("protocol", Byte.SIZE);
            typeOfService.requireFits("typeOfService", Byte.SIZE);
            timeToLive.requireFits("timeToLive", Byte.SIZE);
            flags.requireFits("flags", Byte.SIZE);
        }

        /** Matches any packet. */
        public static Ipv4 any() {
            return new Ipv4(Prefix.ANY_IPV4, Prefix.ANY_IPV4, Match.ANY, Match.ANY, Match.ANY, Match.ANY);
        }

        /** Returns a copy for packets from {@code address}. */
        public Ipv4 withSource(InetAddress address) {
            return withSource(Prefix.of(address));
        }

        /** Returns a copy for packets from addresses with {@code prefix}. */
        public Ipv4 withSource(Prefix prefix) {
            return new Ipv4(prefix, destination, protocol, typeOfService, timeToLive, flags);
        }

        /** Returns a copy for packets to {@code address}. */
        public Ipv4 withDestination(InetAddress address) {
            return withDestination(Prefix.of(address));
        }

        /** Returns a copy for packets to addresses with {@code prefix}. */
        public Ipv4 withDestination(Prefix prefix) {
            return new Ipv4(source, prefix, protocol, typeOfService, timeToLive, flags);
        }

        /** Returns a copy for packets of protocol {@code number}, 0 to 255. */
        public Ipv4 withProtocol(int number) {
            return new Ipv4(source, destination, Match.exactly(number, Byte.SIZE), typeOfService, timeToLive, flags);
        }

        /** Returns whether only addresses are compared. */
        public boolean isAddressesAlone() {
            return (protocol.mask() | typeOfService.mask() | timeToLive.mask() | flags.mask()) == 0;
        }
    }

    /**
     * The IPv6 header, {@code struct ibv_flow_spec_ipv6}.
     *
     * @param source the source address
     * @param destination the destination address
     * @param flowLabel 20 bits
     * @param nextHeader 8 bits, such as 17 for UDP
     * @param trafficClass 8 bits
     * @param hopLimit 8 bits
     */
    record Ipv6(
            Prefix source, Prefix destination, Match flowLabel, Match nextHeader, Match trafficClass, Match hopLimit)
            implements FlowSpec {
        private static final int OCTETS = 16;
        private static final int LABEL_BITS = 20;

        /**
         * Checks families and widths.
         *
         * @throws IllegalArgumentException if an address is not of IPv6, or a mask is wider than its field
         */
        public Ipv6 {
            source.require(OCTETS, "IPv6");
            destination.require(OCTETS, "IPv6");
            flowLabel.requireFits("flowLabel", LABEL_BITS);
            nextHeader.requireFits("nextHeader", Byte.SIZE);
            trafficClass.requireFits("trafficClass", Byte.SIZE);
            hopLimit.requireFits("hopLimit", Byte.SIZE);
        }

        /** Matches any packet. */
        public static Ipv6 any() {
            return new Ipv6(Prefix.ANY_IPV6, Prefix.ANY_IPV6, Match.ANY, Match.ANY, Match.ANY, Match.ANY);
        }

        /** Returns a copy for packets from {@code address}. */
        public Ipv6 withSource(InetAddress address) {
            return withSource(Prefix.of(address));
        }

        /** Returns a copy for packets from addresses with {@code prefix}. */
        public Ipv6 withSource(Prefix prefix) {
            return new Ipv6(prefix, destination, flowLabel, nextHeader, trafficClass, hopLimit);
        }

        /** Returns a copy for packets to {@code address}. */
        public Ipv6 withDestination(InetAddress address) {
            return withDestination(Prefix.of(address));
        }

        /** Returns a copy for packets to addresses with {@code prefix}. */
        public Ipv6 withDestination(Prefix prefix) {
            return new Ipv6(source, prefix, flowLabel, nextHeader, trafficClass, hopLimit);
        }

        /** Returns a copy for packets whose next header is {@code number}, 0 to 255. */
        public Ipv6 withNextHeader(int number) {
            return new Ipv6(source, destination, flowLabel, Match.exactly(number, Byte.SIZE), trafficClass, hopLimit);
        }
    }

    /**
     * The ports of UDP or TCP, {@code struct ibv_flow_spec_tcp_udp}.
     *
     * @param protocol UDP or TCP
     * @param source the source port, 16 bits
     * @param destination the destination port, 16 bits
     */
    record Ports(Protocol protocol, Match source, Match destination) implements FlowSpec {
        /** A protocol with ports. */
        public enum Protocol {
            /** User Datagram Protocol. */
            UDP,
            /** Transmission Control Protocol. */
            TCP
        }

        /**
         * Checks the widths.
         *
         * @throws IllegalArgumentException if a mask is wider than its field
         */
        public Ports {
            source.requireFits("source", Short.SIZE);
            destination.requireFits("destination", Short.SIZE);
        }

        /** Matches any packet of {@code protocol}. */
        public static Ports any(Protocol protocol) {
            return new Ports(protocol, Match.ANY, Match.ANY);
        }

        /** Returns a copy for packets from {@code port}, 0 to 65535. */
        public Ports withSource(int port) {
            return new Ports(protocol, Match.exactly(port, Short.SIZE), destination);
        }

        /** Returns a copy for packets to {@code port}, 0 to 65535. */
        public Ports withDestination(int port) {
            return new Ports(protocol, source, Match.exactly(port, Short.SIZE));
        }
    }

    /**
     * The VXLAN header, {@code struct ibv_flow_spec_tunnel}.
     *
     * @param network the network identifier (VNI), 24 bits
     */
    record Vxlan(Match network) implements FlowSpec {
        private static final int BITS = 24;

        /**
         * Checks the width.
         *
         * @throws IllegalArgumentException if the mask is wider than the field
         */
        public Vxlan {
            network.requireFits("network", BITS);
        }

        /** Matches the packets of network {@code number}, 24 bits. */
        public static Vxlan of(int number) {
            return new Vxlan(Match.exactly(number, BITS));
        }
    }

    /**
     * The GRE header, {@code struct ibv_flow_spec_gre}.
     *
     * @param flags the first 16 bits of the header, which list its fields (RFC 2890 §2)
     * @param protocol 16 bits, such as 0x0800 for IPv4
     * @param key 32 bits
     */
    record Gre(Match flags, Match protocol, Match key) implements FlowSpec {
        /**
         * Checks the widths.
         *
         * @throws IllegalArgumentException if a mask is wider than its field
         */
        public Gre {
            flags.requireFits("flags", Short.SIZE);
            protocol.requireFits("protocol", Short.SIZE);
            key.requireFits("key", Integer.SIZE);
        }
    }

    /**
     * An MPLS label stack entry, {@code struct ibv_flow_spec_mpls}.
     *
     * @param entry 32 bits: label, traffic class, bottom of stack, time to live (RFC 3032 §2.1)
     */
    record Mpls(Match entry) implements FlowSpec {
        private static final int LABEL_BITS = 20;

        /**
         * Checks the width.
         *
         * @throws IllegalArgumentException if the mask is wider than the field
         */
        public Mpls {
            entry.requireFits("entry", Integer.SIZE);
        }

        /** Matches packets with {@code label}, 20 bits, and any other fields of the entry. */
        public static Mpls ofLabel(int label) {
            Match match = Match.exactly(label, LABEL_BITS);
            int below = Integer.SIZE - LABEL_BITS;
            return new Mpls(new Match(match.value() << below, match.mask() << below));
        }
    }

    /**
     * A header inside a tunnel, {@code IBV_FLOW_SPEC_INNER}.
     *
     * @param header of Ethernet, IP, ports or MPLS
     */
    record Inner(FlowSpec header) implements FlowSpec {
        /**
         * Checks the kind of the header.
         *
         * @throws IllegalArgumentException if it is a tunnel, already an inner header, or no header
         */
        public Inner {
            boolean isHeader = header instanceof Ethernet
                    || header instanceof Ipv4
                    || header instanceof Ipv6
                    || header instanceof Ports
                    || header instanceof Mpls;
            if (!isHeader) {
                throw new IllegalArgumentException(
                        "the inner header of a tunnel must be one of Ethernet, IP, ports or MPLS, got " + header);
            }
        }
    }

    /**
     * An action that sets the tag in completions of matching packets, {@code struct ibv_flow_spec_action_tag}:
     * {@link org.panamaverbs.api.WorkCompletion#flowTag()}.
     *
     * @param tag 32 bits; devices support fewer, 24 on mlx5
     */
    record Tag(int tag) implements FlowSpec {}

    /**
     * An action that counts matching packets, {@code struct ibv_flow_spec_counter_action}. The counters are an object
     * of the flow's device; close them after the flow.
     *
     * @param counters the counters
     */
    record Count(FlowCounters counters) implements FlowSpec {}

    /** An action that drops matching packets, {@code struct ibv_flow_spec_action_drop}. */
    record Drop() implements FlowSpec {}
}
