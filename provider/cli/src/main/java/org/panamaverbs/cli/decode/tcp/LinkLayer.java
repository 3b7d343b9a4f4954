package org.panamaverbs.cli.decode.tcp;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a captured packet begins with (LINKTYPE numbers of pcap), and where the IP packet is in it. */
enum LinkLayer {
    /** Ethernet, with any number of VLAN tags. */
    ETHERNET("Ethernet") {
        @Override
        int networkOffset(ByteBuffer octets) {
            return behindEtherType(octets, 12);
        }

        @Override
        Link link(int interfaceId, ByteBuffer octets) {
            return new Link(interfaceId, 0, vlans(octets, 12, 14));
        }
    },
    /** IP without anything in front; the numbers differ between systems. */
    RAW("raw IP") {
        @Override
        int networkOffset(ByteBuffer octets) {
            return 0;
        }
    },
    /** The loopback of BSD: an address family of four octets, in either order. */
    NULL("BSD loopback") {
        @Override
        int networkOffset(ByteBuffer octets) {
            if (octets.limit() < FAMILY_BYTES) {
                return CUT_OFF;
            }
            int family = octets.getInt(0);
            int small = (family & 0xFFFF_0000) == 0 ? family : Integer.reverseBytes(family);
            return switch (small) {
                // AF_INET, and AF_INET6 of Linux, NetBSD and OpenBSD, FreeBSD, macOS
                case 2, 10, 24, 28, 30 -> FAMILY_BYTES;
                default -> NOT_IP;
            };
        }
    },
    /** What Linux gives for the device "any". */
    COOKED("Linux cooked") {
        @Override
        int networkOffset(ByteBuffer octets) {
            return behindEtherType(octets, 14);
        }

        @Override
        Link link(int interfaceId, ByteBuffer octets) {
            return new Link(interfaceId, 0, vlans(octets, 14, 16));
        }
    },
    /** The newer form of the same. */
    COOKED_2("Linux cooked 2") {
        @Override
        int networkOffset(ByteBuffer octets) {
            return octets.limit() < COOKED_2_BYTES
                    ? CUT_OFF
                    : behind(octets, octets.getShort(0) & 0xFFFF, COOKED_2_BYTES);
        }

        @Override
        Link link(int interfaceId, ByteBuffer octets) {
            return new Link(interfaceId, octets.getInt(COOKED_2_DEVICE), vlans(octets, 0, COOKED_2_BYTES));
        }
    };

    /** In place of an offset: the packet ends before it can be told. */
    static final int CUT_OFF = -1;
    /** In place of an offset: there is no IP in it. */
    static final int NOT_IP = -2;

    private static final int FAMILY_BYTES = 4;
    private static final int COOKED_2_BYTES = 20;
    private static final int COOKED_2_DEVICE = 4;
    private static final int TAG_BYTES = 4;
    private static final int VLAN_MASK = 0x0FFF; // behind priority and drop eligibility

    private final String text;

    LinkLayer(String text) {
        this.text = text;
    }

    /** The one with this number, or null. */
    static @Nullable LinkLayer of(int number) {
        return switch (number) {
            case 1 -> ETHERNET;
            case 12, 14, 101, 228, 229 -> RAW;
            case 0, 108 -> NULL;
            case 113 -> COOKED;
            case 276 -> COOKED_2;
            default -> null;
        };
    }

    /** All that are known, for a message. */
    static String names() {
        return Arrays.stream(values()).map(layer -> layer.text).collect(Collectors.joining(", "));
    }

    /** Where the IP packet begins, {@link #CUT_OFF} or {@link #NOT_IP}. */
    abstract int networkOffset(ByteBuffer octets);

    /** The link that a packet is on whose IP packet was found. */
    Link link(int interfaceId, ByteBuffer octets) {
        return interfaceId == 0 ? Link.NONE : new Link(interfaceId, 0, List.of());
    }

    /** Identifiers of the VLANs whose tags begin with the EtherType at {@code type}; the first ends at {@code tag}. */
    private static List<Integer> vlans(ByteBuffer octets, int type, int tag) {
        if (!isTag(octets.getShort(type) & 0xFFFF)) {
            return List.of();
        }
        List<Integer> vlans = new ArrayList<>();
        int next = tag;
        do {
            vlans.add(octets.getShort(next) & VLAN_MASK);
            next += TAG_BYTES;
        } while (isTag(octets.getShort(next - Short.BYTES) & 0xFFFF));
        return vlans;
    }

    private static int behindEtherType(ByteBuffer octets, int at) {
        return octets.limit() < at + Short.BYTES
                ? CUT_OFF
                : behind(octets, octets.getShort(at) & 0xFFFF, at + Short.BYTES);
    }

    /** Goes on behind an EtherType; {@code at} is what follows it. */
    private static int behind(ByteBuffer octets, int etherType, int at) {
        int type = etherType;
        int next = at;
        while (isTag(type)) {
            if (octets.limit() < next + TAG_BYTES) {
                return CUT_OFF;
            }
            type = octets.getShort(next + Short.BYTES) & 0xFFFF;
            next += TAG_BYTES;
        }
        return type == 0x0800 || type == 0x86DD ? next : NOT_IP;
    }

    private static boolean isTag(int etherType) {
        return etherType == 0x8100 || etherType == 0x88A8 || etherType == 0x9100;
    }
}
