package org.panamaverbs.cli.decode.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.cli.decode.capture.Packet;
import org.panamaverbs.cli.decode.tcp.Parsed.PassedOver;
import org.panamaverbs.cli.decode.tcp.Parsed.Reason;

class PacketParserTest {
    private static final int RAW = 101;
    private static final String TCP = "9c40" + "1c06" + "00000064" + "000000c8" + "5018ffff00000000" + "aabbcc";
    private static final String V4_ADDRESSES = "0a000001" + "0a000002";
    private static final String V6_ADDRESSES =
            "fe80000000000000" + "0000000000000001" + "20010db800000000" + "0001000000000002";

    private static String ipv4(String fragment, String protocol, String payload) {
        int total = 20 + payload.length() / 2;
        return "4500" + "%04x".formatted(total) + "0000" + fragment + "40" + protocol + "0000" + V4_ADDRESSES + payload;
    }

    private static String ipv6(String nextHeader, String payload) {
        return "60000000" + "%04x".formatted(payload.length() / 2) + nextHeader + "40" + V6_ADDRESSES + payload;
    }

    private static Parsed parse(int linkType, String hex) {
        byte[] octets = HexFormat.of().parseHex(hex);
        return PacketParser.parse(new Packet(1, 5, 0, linkType, octets, octets.length));
    }

    private static void findsSegment(int linkType, String hex) {
        assertThat(parse(linkType, hex)).isInstanceOfSatisfying(Parsed.Segment.class, whole -> {
            TcpSegment segment = whole.segment();
            assertThat(segment.sequence()).isEqualTo(100);
            assertThat(segment.acknowledgment()).isEqualTo(200);
            assertThat(segment.source().port()).isEqualTo(40_000);
            assertThat(segment.target().port()).isEqualTo(7174);
            assertThat(segment.ack()).isTrue();
            assertThat(segment.syn() || segment.fin()).isFalse();
            assertThat(segment.payload().wireLength()).isEqualTo(3);
            assertThat(Arrays.copyOfRange(
                            segment.payload().octets(),
                            segment.payload().offset(),
                            segment.payload().offset() + segment.payload().length()))
                    .containsExactly(0xAA, 0xBB, 0xCC);
        });
    }

    private static void passesOver(int linkType, String hex, Reason reason) {
        assertThat(parse(linkType, hex))
                .isInstanceOfSatisfying(
                        PassedOver.class, passed -> assertThat(passed.reason()).isEqualTo(reason));
    }

    @ParameterizedTest
    @CsvSource({
        "1, 000102030405 000102030405 0800", // Ethernet
        "1, 000102030405 000102030405 8100 0064 0800", // with a VLAN
        "1, 000102030405 000102030405 88a8 0064 8100 0065 0800", // with two
        "113, 0000 0304 0006 000000000000 0000 0800", // Linux cooked
        "113, 0000 0304 0006 000000000000 0000 8100 0064 0800",
        "276, 0800 0000 00000001 0304 00 06 0000000000000000", // Linux cooked 2
        "0, 02000000", // BSD loopback of either order
        "0, 00000002",
        "108, 00000002",
        "101, ''",
        "12, ''",
        "228, ''",
    })
    void findsIpv4BehindEachLinkLayer(int linkType, String head) {
        findsSegment(linkType, head.replace(" ", "") + ipv4("4000", "06", TCP) + "0000");
    }

    @ParameterizedTest
    @CsvSource({
        "1, 000102030405 000102030405 86dd",
        "276, 86dd 0000 00000001 0304 00 06 0000000000000000",
        "0, 1e000000",
        "0, 0000001c",
        "229, ''",
    })
    void findsIpv6BehindEachLinkLayer(int linkType, String head) {
        findsSegment(linkType, head.replace(" ", "") + ipv6("06", TCP));
    }

    @ParameterizedTest
    @CsvSource({
        "00, 06 00 000000000000", // hop-by-hop
        "3c, 06 01 000000000000 0000000000000000", // destination options, 16 octets
        "2b, 3c 00 000000000000 06 00 000000000000", // routing, then destination options
        "2c, 06 00 0000 00000001", // an atomic fragment, which is whole
        "33, 06 04 0000 00000001 00000001 000000000000000000000000", // authentication: words less two
    })
    void goesBehindIpv6ExtensionHeaders(String next, String headers) {
        findsSegment(RAW, ipv6(next, headers.replace(" ", "") + TCP));
    }

    @Test
    void goesBehindIpv4Options() {
        String options = "46000030000040004006000" + "0" + V4_ADDRESSES + "94040000";
        findsSegment(RAW, options.replace("46000030", "4600002f") + TCP);
    }

    @Test
    void goesBehindTcpOptions() {
        String tcp = TCP.replace("5018ffff00000000", "8018ffff00000000" + "0101080a0000000100000002");
        findsSegment(RAW, ipv4("4000", "06", tcp));
    }

    @Test
    void takesPacketsThatAreTooLongForTheirLengthField() {
        findsSegment(RAW, ipv4("4000", "06", TCP).replaceFirst("4500....", "45000000"));
        findsSegment(RAW, ipv6("06", TCP).replaceFirst("60000000....", "600000000000"));
    }

    /** The length field is 0 then, so that the capture's own record says how much is missing. */
    @Test
    void knowsHowMuchIsMissingOfPacketsThatAreTooLongForTheirLengthField() {
        for (String hex : List.of(
                ipv4("4000", "06", TCP).replaceFirst("4500....", "45000000"),
                ipv6("06", TCP).replaceFirst("60000000....", "600000000000"))) {
            byte[] octets = HexFormat.of().parseHex(hex);
            assertThat(PacketParser.parse(new Packet(1, 5, 0, RAW, octets, octets.length + 70_000)))
                    .isInstanceOfSatisfying(
                            Parsed.Segment.class,
                            whole -> assertThat(whole.segment().payload().wireLength())
                                    .isEqualTo(3 + 70_000));
        }
    }

    @Test
    void refusesFragments() {
        passesOver(RAW, ipv4("2000", "06", TCP), Reason.FRAGMENT);
        passesOver(RAW, ipv4("0010", "06", TCP), Reason.FRAGMENT);
        passesOver(RAW, ipv6("2c", "0600000100000001" + TCP), Reason.FRAGMENT);
        passesOver(RAW, ipv6("2c", "0600001000000001" + TCP), Reason.FRAGMENT);
    }

    @Test
    void passesOverWhatIsNotTcp() {
        passesOver(RAW, ipv4("0000", "11", TCP), Reason.NOT_TCP);
        passesOver(RAW, ipv6("3a", TCP), Reason.NOT_TCP);
        passesOver(RAW, ipv6("3b", ""), Reason.NOT_TCP);
        passesOver(RAW, "70" + TCP, Reason.NOT_IP);
        passesOver(1, "0001020304050001020304050806" + TCP, Reason.NOT_IP);
        passesOver(0, "00000007" + TCP, Reason.NOT_IP);
        passesOver(105, TCP, Reason.LINK_TYPE);
    }

    @Test
    void namesTheLinkTypesItKnows() {
        assertThat(parse(105, TCP))
                .isEqualTo(
                        new PassedOver(
                                Reason.LINK_TYPE,
                                "unknown link type 105, expected Ethernet, raw IP, BSD loopback, Linux cooked, Linux cooked 2"));
    }

    @Test
    void passesOverDamagedHeaders() {
        passesOver(RAW, ipv4("0000", "06", TCP).replaceFirst("45", "44"), Reason.DAMAGED);
        passesOver(RAW, ipv4("0000", "06", TCP).replaceFirst("4500....", "45000013"), Reason.DAMAGED);
        passesOver(RAW, ipv4("0000", "06", TCP.replace("5018", "4018")), Reason.DAMAGED);
        passesOver(RAW, ipv4("0000", "06", TCP.replace("5018", "f018")), Reason.DAMAGED);
        passesOver(RAW, ipv6("06", TCP).replaceFirst("60000000....", "600000000004"), Reason.DAMAGED);
        passesOver(RAW, ipv6("00", "0000000000000000".repeat(20)), Reason.DAMAGED);
    }

    @Test
    void knowsHowMuchOfASegmentWasCutOff() {
        String packet = ipv4("0000", "06", TCP);
        Parsed parsed = parse(RAW, packet.substring(0, packet.length() - 4));

        assertThat(parsed).isInstanceOfSatisfying(Parsed.Segment.class, whole -> {
            TcpSegment segment = whole.segment();
            assertThat(segment.payload().length()).isEqualTo(1);
            assertThat(segment.payload().wireLength()).isEqualTo(3);
        });
    }

    @Test
    void anyCutAndAnyChangeGivesAnAnswer() {
        String[] packets = {
            "000102030405000102030405810000640800" + ipv4("4000", "06", TCP),
            "00010203040500010203040586dd" + ipv6("2b", "3c00000000000000" + "0600000000000000" + TCP)
        };
        Random random = new Random(4);
        for (String hex : packets) {
            byte[] whole = HexFormat.of().parseHex(hex);
            for (int i = 0; i < 20_000; i++) {
                byte[] octets = Arrays.copyOf(whole, random.nextInt(whole.length + 1));
                for (int j = 0; octets.length > 0 && j < random.nextInt(4); j++) {
                    octets[random.nextInt(octets.length)] = (byte) random.nextInt();
                }
                Parsed parsed = PacketParser.parse(new Packet(1, 0, 0, 1, octets, octets.length));
                if (parsed instanceof Parsed.Segment found) {
                    TcpSegment segment = found.segment();
                    assertThat(segment.payload().length())
                            .isBetween(0, segment.payload().wireLength());
                    assertThat(segment.payload().offset() + segment.payload().length())
                            .isLessThanOrEqualTo(octets.length);
                }
            }
        }
    }

    @Test
    void writesAddressesAsPeopleDo() {
        assertThat(new Endpoint(false, 0, 0xC0A80001L, 80)).hasToString("192.168.0.1:80");
        assertThat(v6("00000000000000000000000000000001")).hasToString("[::1]:7174");
        assertThat(v6("00000000000000000000000000000000")).hasToString("[::]:7174");
        assertThat(v6("fe800000000000000000000000000000")).hasToString("[fe80::]:7174");
        assertThat(v6("20010db8000000000001000000000002")).hasToString("[2001:db8::1:0:0:2]:7174");
        assertThat(v6("20010db8000100020003000400050006")).hasToString("[2001:db8:1:2:3:4:5:6]:7174");
        assertThat(v6("20010db8000000020003000400050006")).hasToString("[2001:db8:0:2:3:4:5:6]:7174");
    }

    private static Endpoint v6(String hex) {
        ByteBuffer octets = ByteBuffer.wrap(HexFormat.of().parseHex(hex));
        return new Endpoint(true, octets.getLong(), octets.getLong(), 7174);
    }
}
