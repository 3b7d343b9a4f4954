package org.panamaverbs.cli.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.cli.decode.capture.PcapngBlocks.description;
import static org.panamaverbs.cli.decode.capture.PcapngBlocks.enhanced;
import static org.panamaverbs.cli.decode.capture.PcapngBlocks.joined;
import static org.panamaverbs.cli.decode.capture.PcapngBlocks.section;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections whose addresses and ports are equal, on different links, and one connection that two links show. */
class LinksTest {
    private static final ByteOrder LITTLE = ByteOrder.LITTLE_ENDIAN;
    private static final byte[] NO_OPTIONS = {};

    /** What tells the packets of one link from those of another. */
    enum Kind {
        VLAN(1),
        STACKED_VLANS(1),
        INTERFACE(101),
        COOKED_2(276);

        private final int linkType;

        Kind(int linkType) {
            this.linkType = linkType;
        }

        /** The packet as link {@code number}, 0 or 1, has it. */
        byte[] framed(int number, byte[] ip) {
            return switch (this) {
                case VLAN -> ethernet(ip, 0x8100, 100 + number);
                case STACKED_VLANS -> ethernet(ip, 0x88A8, 5 + number, 0x8100, 100);
                case INTERFACE -> ip;
                case COOKED_2 -> {
                    ByteBuffer cooked = ByteBuffer.allocate(20 + ip.length);
                    cooked.putShort((short) 0x0800).putShort((short) 0).putInt(3 + number);
                    yield cooked.put(20, ip).array();
                }
            };
        }

        private static byte[] ethernet(byte[] ip, int... tags) {
            ByteBuffer frame = ByteBuffer.allocate(14 + 2 * tags.length + ip.length);
            frame.position(12);
            for (int word : tags) {
                frame.putShort((short) word);
            }
            return frame.putShort((short) 0x0800).put(ip).array();
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // octets of a frame, never compared
    private record Captured(int link, byte[] ip) {}

    private static byte[] pcapng(Kind kind, List<Captured> packets) {
        List<byte[]> blocks = new ArrayList<>();
        blocks.add(section(LITTLE));
        blocks.add(description(LITTLE, kind.linkType, 0, NO_OPTIONS));
        blocks.add(description(LITTLE, kind.linkType, 0, NO_OPTIONS));
        for (int i = 0; i < packets.size(); i++) {
            Captured packet = packets.get(i);
            int id = kind == Kind.INTERFACE ? packet.link() : 0;
            blocks.add(enhanced(LITTLE, id, 1000L * i, kind.framed(packet.link(), packet.ip())));
        }
        return joined(blocks.toArray(new byte[0][]));
    }

    /** The packets of both, one of each in turn; those of {@code two} are on link 1. */
    private static List<Captured> interleaved(CaptureBuilder one, CaptureBuilder two) {
        List<Captured> packets = new ArrayList<>();
        for (int i = 0; i < Math.max(one.size(), two.size()); i++) {
            if (i < one.size()) {
                packets.add(new Captured(0, one.packets().get(i)));
            }
            if (i < two.size()) {
                packets.add(new Captured(1, two.packets().get(i)));
            }
        }
        return packets;
    }

    private static CaptureBuilder connection(int firstSequence, UnaryOperator<CaptureBuilder> begin, int... sends) {
        CaptureBuilder capture = begin.apply(new CaptureBuilder(40_000, firstSequence));
        Fpdus fpdus = new Fpdus();
        for (int length : sends) {
            fpdus.send(length, length);
        }
        return capture.sendInPieces(fpdus.octets(), 100);
    }

    private static CaptureBuilder opened(int firstSequence, int... sends) {
        return connection(
                firstSequence,
                begun -> begun.open().send(Fpdus.mpa(false, true, false)).answer(Fpdus.mpa(true, true, false)),
                sends);
    }

    private static List<String> sendsOf(Decoded decoded, int connection) {
        return decoded.units().stream()
                .filter(unit -> unit.place().flow().connection() == connection
                        && unit.kind().equals("send"))
                .map(unit -> unit.kind() + " " + unit.summary())
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void equalEndsOnTwoLinksAreTwoConnections(Kind kind) {
        Decoded decoded = Decoded.of(pcapng(
                kind,
                interleaved(
                        opened(1000, 300, 400, 5).close(),
                        opened(777_000_000, 20, 500, 60, 7).close())));

        assertThat(sendsOf(decoded, 1)).isEqualTo(Fpdus.sends(300, 400, 5));
        assertThat(sendsOf(decoded, 2)).isEqualTo(Fpdus.sends(20, 500, 60, 7));
        assertThat(decoded.problems()).isEmpty();
        assertThat(decoded.notes()).isEmpty();
        assertThat(decoded.summary().iwarpConnections).isEqualTo(2);
        assertThat(decoded.summary().otherConnections).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void theSameOfConnectionsThatBeganBeforeTheCapture(Kind kind) {
        Decoded decoded = Decoded.of(pcapng(
                kind,
                interleaved(
                        connection(1000, UnaryOperator.identity(), 300, 400, 5),
                        connection(777_000_000, UnaryOperator.identity(), 20, 500, 60, 7))));

        // Numbered as iWARP is found, which the shorter FPDU of the second shows first.
        assertThat(sendsOf(decoded, 1)).isEqualTo(Fpdus.sends(20, 500, 60, 7));
        assertThat(sendsOf(decoded, 2)).isEqualTo(Fpdus.sends(300, 400, 5));
        assertThat(decoded.problems()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void oneConnectionThatTwoLinksShowIsOne(Kind kind) {
        CaptureBuilder capture =
                opened(1000, 300, 400, 5).answer(new Fpdus().send(9, 1).octets());
        Decoded decoded = Decoded.of(pcapng(kind, interleaved(capture.close(), capture)));

        assertThat(sendsOf(decoded, 1)).hasSize(4);
        assertThat(decoded.problems()).isEmpty();
        assertThat(decoded.summary().iwarpConnections).isEqualTo(1);
        assertThat(decoded.summary().otherConnections).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void oneConnectionThatBeganBeforeAndThatTwoLinksShowIsOne(Kind kind) {
        CaptureBuilder capture = connection(1000, UnaryOperator.identity(), 300, 400, 5)
                .answer(new Fpdus().send(9, 1).octets());
        Decoded decoded = Decoded.of(pcapng(kind, interleaved(capture, capture)));

        assertThat(sendsOf(decoded, 1)).hasSize(4);
        assertThat(decoded.summary().iwarpConnections).isEqualTo(1);
        assertThat(decoded.summary().otherConnections).isZero();
    }

    /** A tap has an interface for each direction; the answer to the SYN may be captured before it. */
    @ParameterizedTest
    @EnumSource
    void eachDirectionMayBeOnALinkOfItsOwn(Kind kind) {
        CaptureBuilder capture =
                opened(1000, 300, 400, 5).answer(new Fpdus().send(9, 1).octets());
        for (CaptureBuilder one : List.of(capture, capture.move(0, 1))) {
            List<Captured> packets = new ArrayList<>();
            one.packets().forEach(ip -> packets.add(new Captured(ip[15] == 1 ? 0 : 1, ip)));
            Decoded decoded = Decoded.of(pcapng(kind, packets));

            assertThat(sendsOf(decoded, 1)).hasSize(4);
            assertThat(decoded.problems()).isEmpty();
            assertThat(decoded.summary().otherConnections).isZero();
        }
    }

    /** Each link shows both of two connections that follow one another; one link is behind the other. */
    @ParameterizedTest
    @EnumSource
    void portsThatAreUsedAgainOnTwoLinksAreTwoConnections(Kind kind) {
        CaptureBuilder both =
                opened(1000, 300).close().with(opened(999_999, 20, 30).close());
        List<Captured> packets = new ArrayList<>();
        int behind = 3;
        for (int i = 0; i < both.size() + behind; i++) {
            if (i < both.size()) {
                packets.add(new Captured(0, both.packets().get(i)));
            }
            if (i >= behind) {
                packets.add(new Captured(1, both.packets().get(i - behind)));
            }
        }
        Decoded decoded = Decoded.of(pcapng(kind, packets));

        assertThat(sendsOf(decoded, 1)).isEqualTo(Fpdus.sends(300));
        assertThat(sendsOf(decoded, 2)).isEqualTo(Fpdus.sends(20, 30));
        assertThat(decoded.summary().iwarpConnections).isEqualTo(2);
        assertThat(decoded.summary().otherConnections).isZero();
    }

    @Test
    void theLinkIsSaidOfAConnection() {
        List<Captured> packets = interleaved(opened(1000, 3), opened(777_000_000, 4));
        List<String> links = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            Decoded.of(pcapng(kind, packets)).units().stream()
                    .map(unit -> unit.place().flow().link())
                    .distinct()
                    .forEach(links::add);
        }

        assertThat(links)
                .isEqualTo(Arrays.asList(
                        "VLAN 100", "VLAN 101", "VLAN 5/100", "VLAN 6/100", "", "interface 1", "link 3", "link 4"));
    }
}
