package org.panamaverbs.cli.decode.tcp;

import java.nio.ByteBuffer;
import org.panamaverbs.cli.decode.capture.CaptureReader;
import org.panamaverbs.cli.decode.capture.Packet;
import org.panamaverbs.cli.decode.tcp.Parsed.PassedOver;
import org.panamaverbs.cli.decode.tcp.Parsed.Reason;

/** Finds the TCP segment in a packet. Checksums are not looked at: adapters fill them in behind the capture. */
public final class PacketParser {
    private static final int VERSION_4 = 4;
    private static final int VERSION_6 = 6;
    private static final int PROTOCOL_TCP = 6;

    private static final int IPV4_BYTES = 20;
    private static final int FRAGMENT_MASK = 0x3FFF;
    private static final int IPV6_BYTES = 40;

    // RFC 8200 §4.1, RFC 4302: the headers that may stand between the IPv6 header and TCP.
    private static final int HOP_BY_HOP = 0;
    private static final int ROUTING = 43;
    private static final int FRAGMENT = 44;
    private static final int AUTHENTICATION = 51;
    private static final int DESTINATION = 60;
    private static final int MOBILITY = 135;
    private static final int MAX_EXTENSIONS = 16;
    private static final int FRAGMENT_BYTES = 8;

    private static final int TCP_BYTES = 20;
    private static final int WORD = 4;

    private PacketParser() {}

    /** The segment in a packet, or why there is none. Never fails, whatever the packet holds. */
    public static Parsed parse(Packet packet) {
        ByteBuffer octets = ByteBuffer.wrap(packet.octets());
        LinkLayer layer = LinkLayer.of(packet.linkType());
        if (layer == null) {
            return new PassedOver(
                    Reason.LINK_TYPE, "unknown link type " + packet.linkType() + ", expected " + LinkLayer.names());
        }
        int start = layer.networkOffset(octets);
        if (start == LinkLayer.CUT_OFF) {
            return cutOff(octets.limit());
        }
        if (start == LinkLayer.NOT_IP) {
            return new PassedOver(Reason.NOT_IP, "neither IPv4 nor IPv6");
        }
        if (start >= octets.limit()) {
            return cutOff(octets.limit());
        }
        Link link = layer.link(packet.interfaceId(), octets);
        return switch (octets.get(start) >>> 4 & 0x0F) {
            case VERSION_4 -> ipv4(packet, link, octets, start);
            case VERSION_6 -> ipv6(packet, link, octets, start);
            default -> new PassedOver(Reason.NOT_IP, "neither IPv4 nor IPv6");
        };
    }

    private static PassedOver cutOff(int captured) {
        return new PassedOver(Reason.CUT_OFF, "cut off within its headers: only " + captured + " octets were captured");
    }

    private static PassedOver damaged(String detail) {
        return new PassedOver(Reason.DAMAGED, detail);
    }

    /** Octets that a packet had, as far as that is believed. */
    private static int wireLength(Packet packet) {
        return (int) Math.min(packet.wireLength(), CaptureReader.MAX_BLOCK_BYTES);
    }

    private static PassedOver notTcp(int protocol) {
        return new PassedOver(Reason.NOT_TCP, "IP protocol " + protocol);
    }

    private static Parsed ipv4(Packet packet, Link link, ByteBuffer octets, int start) {
        if (octets.limit() - start < IPV4_BYTES) {
            return cutOff(octets.limit());
        }
        int header = (octets.get(start) & 0x0F) * WORD;
        if (header < IPV4_BYTES) {
            return damaged("an IPv4 header of " + header + " octets");
        }
        int protocol = octets.get(start + 9) & 0xFF;
        if ((octets.getShort(start + 6) & FRAGMENT_MASK) != 0) {
            return fragment("IPv4");
        }
        if (protocol != PROTOCOL_TCP) {
            return notTcp(protocol);
        }
        int total = octets.getShort(start + 2) & 0xFFFF;
        // Captured before the adapter cut it into segments, a packet can be too long for the field, which is 0 then.
        int end = total == 0 ? wireLength(packet) : start + total;
        if (end < start + header) {
            return damaged("an IPv4 packet of %d octets with a header of %d".formatted(total, header));
        }
        Endpoint source = v4(octets, start + 12);
        Endpoint target = v4(octets, start + 16);
        return tcp(packet, link, octets, start + header, end, source, target);
    }

    private static PassedOver fragment(String what) {
        return new PassedOver(
                Reason.FRAGMENT,
                "an " + what + " fragment: fragments are not reassembled, and their contents are missing");
    }

    private static Parsed ipv6(Packet packet, Link link, ByteBuffer octets, int start) {
        if (octets.limit() - start < IPV6_BYTES) {
            return cutOff(octets.limit());
        }
        int payload = octets.getShort(start + 4) & 0xFFFF;
        // RFC 2675: 0 with a jumbo payload, and for what is captured before the adapter cuts it.
        int end = payload == 0 ? wireLength(packet) : start + IPV6_BYTES + payload;
        int next = octets.get(start + 6) & 0xFF;
        int at = start + IPV6_BYTES;
        for (int i = 0; i < MAX_EXTENSIONS && next != PROTOCOL_TCP; i++) {
            if (!isExtension(next)) {
                return notTcp(next);
            }
            if (octets.limit() - at < FRAGMENT_BYTES) {
                return cutOff(octets.limit());
            }
            if (next == FRAGMENT && (octets.getShort(at + 2) & ~0x6) != 0) {
                return fragment("IPv6");
            }
            int length = octets.get(at + 1) & 0xFF;
            int header = next; // RFC 4302 §2.2 counts in words less 2, RFC 8200 in eights less 1
            next = octets.get(at) & 0xFF;
            at += header == FRAGMENT
                    ? FRAGMENT_BYTES
                    : header == AUTHENTICATION ? (length + 2) * WORD : (length + 1) * FRAGMENT_BYTES;
        }
        if (next != PROTOCOL_TCP) {
            return damaged("more than " + MAX_EXTENSIONS + " IPv6 extension headers");
        }
        if (end < at) {
            return damaged("IPv6 extension headers that are longer than the packet");
        }
        return tcp(packet, link, octets, at, end, v6(octets, start + 8), v6(octets, start + 24));
    }

    private static boolean isExtension(int header) {
        return switch (header) {
            case HOP_BY_HOP, ROUTING, FRAGMENT, AUTHENTICATION, DESTINATION, MOBILITY -> true;
            default -> false;
        };
    }

    /** Reads a segment between {@code start} and {@code end}, which may lie behind what was captured. */
    private static Parsed tcp(
            Packet packet, Link link, ByteBuffer octets, int start, int end, Endpoint source, Endpoint target) {
        if (octets.limit() - start < TCP_BYTES) {
            return octets.limit() < end ? cutOff(octets.limit()) : damaged("no room for a TCP header");
        }
        int header = (octets.get(start + 12) >>> 4 & 0x0F) * WORD;
        if (header < TCP_BYTES || start + header > end) {
            return damaged("a TCP header of %d octets in a segment of %d".formatted(header, end - start));
        }
        int payload = start + header;
        return new Parsed.Segment(new TcpSegment(
                new TcpSegment.Arrival(packet.frame(), packet.timeNanos(), link),
                withPort(source, octets.getShort(start)),
                withPort(target, octets.getShort(start + 2)),
                octets.getInt(start + 4),
                octets.getInt(start + 8),
                octets.get(start + 13),
                new TcpSegment.Payload(
                        packet.octets(),
                        Math.min(payload, octets.limit()),
                        Math.max(0, Math.min(octets.limit(), end) - payload),
                        end - payload)));
    }

    private static Endpoint v4(ByteBuffer octets, int at) {
        return new Endpoint(false, 0, Integer.toUnsignedLong(octets.getInt(at)), 0);
    }

    private static Endpoint v6(ByteBuffer octets, int at) {
        return new Endpoint(true, octets.getLong(at), octets.getLong(at + Long.BYTES), 0);
    }

    private static Endpoint withPort(Endpoint address, short port) {
        return new Endpoint(address.v6(), address.high(), address.low(), port & 0xFFFF);
    }
}
