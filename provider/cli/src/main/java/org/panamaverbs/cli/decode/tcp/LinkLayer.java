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
    ETHERNET("Ethernet", 12, 14),
    /** IP without anything in front; the numbers differ between systems. */
    RAW("raw IP", -1, 0),
    /** The loopback of BSD: an address family of four octets, in either order. */
    NULL("BSD loopback", -1, 4),
    /** What Linux gives for the device "any". */
    COOKED("Linux cooked", 14, 16),
    /** The newer form of the same. */
    COOKED_2("Linux cooked 2", 0, 20);

    /** In place of an offset: the packet ends before it can be told. */
    static final int CUT_OFF = -1;
    /** In place of an offset: there is no IP in it. */
    static final int NOT_IP = -2;

    private static final int COOKED_2_DEVICE = 4;
    private static final int TAG_BYTES = 4;
    private static final int VLAN_MASK = 0x0FFF; // behind priority and drop eligibility

    private final String text;
    private final int typeAt;
    private final int bytes;

    /** Creates a layer of {@code bytes}, with an EtherType at {@code typeAt}, which is negative if it has none. */
    LinkLayer(String text, int typeAt, int bytes) {
        this.text = text;
        this.typeAt = typeAt;
        this.bytes = bytes;
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
    int networkOffset(ByteBuffer octets) {
        if (octets.limit() < bytes) {
            return CUT_OFF;
        }
        if (typeAt >= 0) {
            return behind(octets, octets.getShort(typeAt) & 0xFFFF, bytes);
        }
        return this == NULL && !isIp(octets.getInt(0)) ? NOT_IP : bytes;
    }

    private static boolean isIp(int family) {
        int small = (family & 0xFFFF_0000) == 0 ? family : Integer.reverseBytes(family);
        return switch (small) {
            // AF_INET, and AF_INET6 of Linux, NetBSD and OpenBSD, FreeBSD, macOS
            case 2, 10, 24, 28, 30 -> true;
            default -> false;
        };
    }

    /** The link that a packet is on whose IP packet was found. */
    Link link(int interfaceId, ByteBuffer octets) {
        int device = this == COOKED_2 ? octets.getInt(COOKED_2_DEVICE) : 0;
        return new Link(interfaceId, device, typeAt < 0 ? List.of() : vlans(octets, typeAt, bytes));
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
