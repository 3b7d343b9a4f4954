package org.panamaverbs.api.ethernet;

import java.net.InetAddress;

/**
 * One condition or action of a {@link FlowRule}, {@code struct ibv_flow_spec}: of a header, which all of its fields
 * must match, or what becomes of the packets. Start with the layer's {@code any()} and name what counts.
 *
 * <p>Specs of a tunnel stand between those of the headers around it and those of the headers in it, each of which is an
 * {@link Inner}. Not here is ESP.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_create_flow.3.html">ibv_create_flow(3)</a>
 */
public sealed interface FlowSpec {
    /**
     * The Ethernet header, {@code struct ibv_flow_spec_eth}.
     *
     * @param destination the address of 48 bits that frames go to
     * @param source the address that they come from
     * @param etherType 16 bits, such as 0x0800 of IPv4
     * @param vlanTag 16 bits as in 802.1Q: priority, CFI, and 12 bits of the VLAN's number
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
     * The header of IPv4, {@code struct ibv_flow_spec_ipv4}; where other fields than addresses count,
     * {@code ibv_flow_spec_ipv4_ext}, which not every device has.
     *
     * @param source where packets come from
     * @param destination where they go to
     * @param protocol 8 bits, such as 17 of UDP
     * @param typeOfService 8 bits
     * @param timeToLive 8 bits
     * @param flags 8 bits: {@code enum ibv_flow_ipv4_ext_flags} of the kernel, 1 for all but the first fragment, 2 for
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

        /** Returns whether nothing but addresses counts. */
        public boolean isAddressesAlone() {
            return (protocol.mask() | typeOfService.mask() | timeToLive.mask() | flags.mask()) == 0;
        }
    }

    /**
     * The header of IPv6, {@code struct ibv_flow_spec_ipv6}.
     *
     * @param source where packets come from
     * @param destination where they go to
     * @param flowLabel 20 bits
     * @param nextHeader 8 bits, such as 17 of UDP
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
     * @param protocol of which of the two
     * @param source 16 bits
     * @param destination 16 bits
     */
    record Ports(Protocol protocol, Match source, Match destination) implements FlowSpec {
        /** What has ports. */
        public enum Protocol {
            /** Datagrams. */
            UDP,
            /** Streams. */
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
     * The header of VXLAN, {@code struct ibv_flow_spec_tunnel}.
     *
     * @param network the network's number (VNI), 24 bits
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
     * The header of GRE, {@code struct ibv_flow_spec_gre}.
     *
     * @param flags the first 16 bits of the header, which say what it has (RFC 2890 §2)
     * @param protocol 16 bits, such as 0x0800 of IPv4
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
     * An entry of MPLS, {@code struct ibv_flow_spec_mpls}.
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

        /** Matches the packets of {@code label}, 20 bits, whatever the rest of the entry is. */
        public static Mpls ofLabel(int label) {
            Match match = Match.exactly(label, LABEL_BITS);
            int below = Integer.SIZE - LABEL_BITS;
            return new Mpls(new Match(match.value() << below, match.mask() << below));
        }
    }

    /**
     * A header in a tunnel, {@code IBV_FLOW_SPEC_INNER}.
     *
     * @param header of Ethernet, IP, ports or MPLS
     */
    record Inner(FlowSpec header) implements FlowSpec {
        /**
         * Checks what the header is.
         *
         * @throws IllegalArgumentException if it is a tunnel of VXLAN or GRE, in a tunnel already, or none
         */
        public Inner {
            boolean isHeader = header instanceof Ethernet
                    || header instanceof Ipv4
                    || header instanceof Ipv6
                    || header instanceof Ports
                    || header instanceof Mpls;
            if (!isHeader) {
                throw new IllegalArgumentException(
                        "in a tunnel there are headers of Ethernet, IP, ports and MPLS, got " + header);
            }
        }
    }

    /**
     * Has completions of what matches say so, {@code struct ibv_flow_spec_action_tag}: see
     * {@link org.panamaverbs.api.WorkCompletion#flowTag()}.
     *
     * @param tag 32 bits; devices take fewer, 24 on mlx5
     */
    record Tag(int tag) implements FlowSpec {}

    /**
     * Has what matches counted, {@code struct ibv_flow_spec_counter_action}: not a value but an object of the device
     * that the flow is of, which is closed after the flow.
     *
     * @param counters where
     */
    record Count(FlowCounters counters) implements FlowSpec {}

    /** Has what matches thrown away, {@code struct ibv_flow_spec_action_drop}. */
    record Drop() implements FlowSpec {}
}
