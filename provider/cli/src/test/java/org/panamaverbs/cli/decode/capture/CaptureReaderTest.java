package org.panamaverbs.cli.decode.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.cli.decode.capture.PcapngBlocks.block;
import static org.panamaverbs.cli.decode.capture.PcapngBlocks.description;
import static org.panamaverbs.cli.decode.capture.PcapngBlocks.enhanced;
import static org.panamaverbs.cli.decode.capture.PcapngBlocks.joined;
import static org.panamaverbs.cli.decode.capture.PcapngBlocks.resolution;
import static org.panamaverbs.cli.decode.capture.PcapngBlocks.section;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CaptureReaderTest {
    private static final ByteOrder BIG = ByteOrder.BIG_ENDIAN;
    private static final ByteOrder LITTLE = ByteOrder.LITTLE_ENDIAN;

    private static List<Packet> read(byte[] file) throws IOException {
        CaptureReader reader = CaptureReader.of(new ByteArrayInputStream(file));
        List<Packet> packets = new ArrayList<>();
        for (Packet packet = reader.next(); packet != null; packet = reader.next()) {
            packets.add(packet);
        }
        assertThat(reader.position()).isEqualTo(file.length);
        return packets;
    }

    private static byte[] pcap(ByteOrder order, int magic, int linkType, byte[]... packets) {
        ByteBuffer file = ByteBuffer.allocate(10_000).order(order);
        file.putInt(magic)
                .putShort((short) 2)
                .putShort((short) 4)
                .putLong(0)
                .putInt(65_535)
                .putInt(linkType);
        for (byte[] packet : packets) {
            file.putInt(1_700_000_000).putInt(123_456).putInt(packet.length).putInt(packet.length + 5);
            file.put(packet);
        }
        return Arrays.copyOf(file.array(), file.position());
    }

    @ParameterizedTest
    @CsvSource({
        "true, 0xA1B2C3D4, 123456000",
        "false, 0xA1B2C3D4, 123456000",
        "true, 0xA1B23C4D, 123456",
        "false, 0xA1B23C4D, 123456"
    })
    void readsTheFourFormsOfPcap(boolean bigEndian, String magic, long nanos) throws IOException {
        byte[] file = pcap(bigEndian ? BIG : LITTLE, Long.decode(magic).intValue(), 113, new byte[3], new byte[0]);
        List<Packet> packets = read(file);

        assertThat(packets).extracting(Packet::frame).containsExactly(1L, 2L);
        assertThat(packets).extracting(packet -> packet.octets().length).containsExactly(3, 0);
        assertThat(packets).extracting(Packet::linkType).containsOnly(113);
        assertThat(packets).extracting(Packet::timeNanos).containsOnly(1_700_000_000_000_000_000L + nanos);
    }

    @Test
    void ignoresTheLengthOfTheFrameCheckSequence() throws IOException {
        assertThat(read(pcap(LITTLE, 0xA1B2C3D4, 0x2400_0001, new byte[1]))
                        .getFirst()
                        .linkType())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        // if_tsresol, ticks, nanoseconds
        "6, 1700000000123456, 1700000000123456000",
        "9, 1700000000123456789, 1700000000123456789",
        "3, 1700000000123, 1700000000123000000",
        "0, 1700000000, 1700000000000000000",
        "12, 1700000000123456789, 1700000000123456",
        "0x80, 1700000000, 1700000000000000000",
        "0x8A, 1740800000512, 1700000000500000000",
        "0xA0, 7301444403200000000, 1700000000000000000",
        "0x7F, 1, 0",
        "0xFF, 1, 0",
    })
    void knowsTheUnitsOfPcapng(String tsresol, long ticks, long nanos) throws IOException {
        for (ByteOrder order : List.of(BIG, LITTLE)) {
            byte[] file = joined(
                    section(order),
                    description(order, 1, 0, resolution(order, Integer.decode(tsresol), 0)),
                    enhanced(order, 0, ticks, new byte[5]));
            assertThat(read(file)).singleElement().extracting(Packet::timeNanos).isEqualTo(nanos);
        }
    }

    @Test
    void addsTheOffsetOfTheInterface() throws IOException {
        byte[] file = joined(
                section(LITTLE),
                description(LITTLE, 1, 0, resolution(LITTLE, 9, 1000)),
                enhanced(LITTLE, 0, 7, new byte[1]));

        assertThat(read(file)).singleElement().extracting(Packet::timeNanos).isEqualTo(1_000_000_000_007L);
    }

    @Test
    void readsAllKindsOfPacketsInAllSections() throws IOException {
        byte[] simple = ByteBuffer.allocate(4 + 6).order(BIG).putInt(9).array();
        ByteBuffer obsolete =
                ByteBuffer.allocate(20 + 3).order(BIG).putShort((short) 1).putShort((short) 0);
        obsolete.putInt(0).putInt(5).putInt(3).putInt(3);
        byte[] file = joined(
                section(BIG),
                block(BIG, 0x0000_0BAD, new byte[9]), // unknown
                description(BIG, 1, 6, new byte[0]),
                description(BIG, 276, 0, new byte[0]),
                block(BIG, 3, simple),
                block(BIG, 2, obsolete.array()),
                section(LITTLE),
                description(LITTLE, 101, 0, new byte[0]),
                block(LITTLE, 5, new byte[12]), // statistics
                enhanced(LITTLE, 0, 3, new byte[2]));
        List<Packet> packets = read(file);

        assertThat(packets).extracting(Packet::frame).containsExactly(1L, 2L, 3L);
        assertThat(packets).extracting(Packet::linkType).containsExactly(1, 276, 101);
        assertThat(packets).extracting(packet -> packet.octets().length).containsExactly(6, 3, 2);
        assertThat(packets).extracting(Packet::timeNanos).containsExactly(Packet.NO_TIME, 5_000L, 3_000L);
    }

    private static void refuses(byte[] file, String... messages) {
        assertThatThrownBy(() -> read(file))
                .isInstanceOf(CaptureException.class)
                .message()
                .contains(messages);
    }

    @Test
    void saysWhatAFileIsThatIsNoCapture() {
        refuses(new byte[0], "is empty: no packet has been written yet (tcpdump -U writes each packet at once)");
        refuses(new byte[] {1, 2}, "found 01 02 and the end at offset 0");
        refuses(
                "#!/bin/sh\n".getBytes(StandardCharsets.US_ASCII),
                "neither pcap nor pcapng: found 23 21 2f 62, not a capture (tcpdump -w FILE makes one), at offset 0");
        refuses(new byte[] {0x1F, (byte) 0x8B, 8, 0}, "a gzip file (gzip -dc FILE | verbs decode -)");
        refuses(new byte[] {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD}, "a zstd file");
        refuses(new byte[] {0x34, (byte) 0xCD, (byte) 0xB2, (byte) 0xA1}, "a modified pcap");
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 23})
    void saysThatThePcapHeaderIsCutOff(int length) {
        byte[] file = pcap(BIG, 0xA1B2C3D4, 1);

        refuses(Arrays.copyOf(file, length), "ends at offset " + length + ", within the file header");
    }

    @Test
    void saysWhereAPcapIsCutOff() {
        byte[] file = pcap(BIG, 0xA1B2C3D4, 1, new byte[100], new byte[50]);

        refuses(
                Arrays.copyOf(file, 24 + 16 + 100 + 7),
                "ends at offset 147, within the header of frame 2: 7 of 16 octets are there");
        refuses(
                Arrays.copyOf(file, file.length - 1),
                "ends at offset 205, within frame 2, which begins at offset 156: 49 of 50 octets are there");
    }

    @Test
    void doesNotBelieveLengths() {
        byte[] file = pcap(BIG, 0xA1B2C3D4, 1, new byte[100]);
        ByteBuffer.wrap(file).putInt(24 + 8, 0x7FFF_FFFF);

        refuses(file, "is damaged: frame 1 at offset 24 claims to have 2147483647 octets, limit 16777216");
        ByteBuffer.wrap(file).putInt(24 + 8, 16_000_000);
        refuses(file, "100 of 16000000 octets are there");
        ByteBuffer.wrap(file).putShort(4, (short) 3);
        refuses(file, "is a pcap of version 3, at offset 4");
    }

    @Test
    void saysWhereAPcapngIsDamaged() {
        byte[] head = section(LITTLE);
        byte[] eth = description(LITTLE, 1, 0, new byte[0]);
        byte[] packet = enhanced(LITTLE, 0, 1, new byte[40]);
        byte[] good = joined(head, eth, packet);

        refuses(Arrays.copyOf(good, good.length - 3), "within the block at offset 48, which begins at offset 56");
        refuses(Arrays.copyOf(good, head.length + 2), "within the type of a block");
        refuses(Arrays.copyOf(good, head.length + 6), "within a block's length");
        refuses(joined(head, packet), "frame 1 at offset 28 is from interface 0, of 0");
        refuses(joined(head, block(LITTLE, 1, new byte[4])), "the interface description at offset 28 has 4 octets");
        refuses(joined(head, eth, block(LITTLE, 6, new byte[8])), "the packet at offset 48 has 8 octets");

        byte[] magic = good.clone();
        magic[8] = 0;
        refuses(magic, "the section header at offset 0 has no byte-order magic");
        byte[] length = good.clone();
        length[head.length + 4] = 5;
        refuses(length, "the block at offset 28 claims to have 5 octets");
        byte[] trailer = good.clone();
        trailer[good.length - 4]++;
        refuses(trailer, "the block at offset 48 has 72 octets at its beginning and 73 at its end");
        byte[] captured = good.clone();
        captured[head.length + eth.length + 20] = 41;
        refuses(captured, "frame 1 at offset 48 claims to have 41 octets, its block has room for 40");
        byte[] version = good.clone();
        version[12] = 2;
        refuses(version, "is a pcapng of version 2");
    }
}
