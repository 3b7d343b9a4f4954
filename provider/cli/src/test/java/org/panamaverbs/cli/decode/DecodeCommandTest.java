package org.panamaverbs.cli.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.cli.CommandRun;
import org.panamaverbs.cli.command.ExitStatus;
import org.panamaverbs.cli.decode.capture.PcapngBlocks;
import org.panamaverbs.iwarp.wire.EnhancedBlock;
import org.panamaverbs.iwarp.wire.MpaFrame;
import org.panamaverbs.iwarp.wire.Octets;

class DecodeCommandTest {
    @TempDir
    private Path directory;

    private static CommandRun decode(String capture, String... options) {
        String[] arguments = Arrays.copyOf(options, options.length + 2);
        System.arraycopy(options, 0, arguments, 1, options.length);
        arguments[0] = "decode";
        arguments[arguments.length - 1] = Decoded.capture(capture).toString();
        return CommandRun.of(arguments);
    }

    private Path file(byte[] octets) throws IOException {
        return Files.write(directory.resolve("x.pcap"), octets);
    }

    @Test
    void printsALineForEachFpdu() {
        CommandRun run = decode("packed");

        assertThat(run.status()).isEqualTo(ExitStatus.FAILED);
        assertThat(run.err()).isEmpty();
        assertThat(run.lines())
                .startsWith(
                        "connection 1: 10.0.0.1:42000 > 10.0.0.2:18515",
                        "0.003000  4  1 >  MPA Request  rev 1, CRC, no markers")
                .contains("0.007000  7,8  1 >  RDMA Read Request  MSN 1, 4096 octets from 0x55667702/0x2000 to"
                        + " 0xaabbcc01/0x1000")
                .containsSubsequence(
                        "0.005000  6  1 >  Send with SE  MSN 3 MO 0, 5 octets, last",
                        "    ! MSN 3, expected 2 (RFC 5041 section 4.3)")
                .endsWith("1 connection, 2 MPA frames, 5 FPDUs, 2 problems");
    }

    @ParameterizedTest
    @CsvSource({"9, connection 9 is", "'1,9', connection 9 is", "'7,8', 'connections 7, 8 are'"})
    void connectionsThatAreNotThereAreAFailure(String asked, String absent) {
        CommandRun run = decode("markers_both", "--connection", asked);

        assertThat(run.status()).isEqualTo(ExitStatus.FAILED);
        assertThat(run.err())
                .startsWith("verbs decode: ")
                .contains(absent + " not in ", "markers_both", "1 iWARP connection")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource({"markers_both, 0", "terms, 0", "crc_off, 0", "rev2_all, 1", "crc_bad, 1", "swap_draft, 1"})
    void theStatusSaysWhetherSomethingIsWrong(String capture, int status) {
        assertThat(decode(capture).status()).isEqualTo(status);
        assertThat(decode(capture, "--json", "--only", "note").status())
                .as("printed or not")
                .isEqualTo(status);
    }

    @Test
    void takesTheDraftsSwapWhereToldTo() {
        CommandRun run = decode("swap_draft", "--draft-swap", "--only", "atomic");

        assertThat(run.lines()).anyMatch(line -> line.contains("Swap (draft-ietf-storm-rdmap-ext-01)"));
        assertThat(run.lines()).noneMatch(line -> line.contains("AOpCode"));
    }

    @Test
    void printsTheConnectionsThatAreAskedFor() {
        assertThat(decode("terms", "--connection", "2,11").lines())
                .filteredOn(line -> line.startsWith("connection"))
                .containsExactly(
                        "connection 2: 10.0.0.1:41001 > 10.0.0.2:18515",
                        "connection 11: 10.0.0.1:41010 > 10.0.0.2:18515");
    }

    @ParameterizedTest
    @CsvSource({
        "mpa, 2",
        "mpa-reply, 1",
        "write, 2",
        "rdma-write, 2",
        "read, 2",
        "read-response, 1",
        "send, 6",
        "send-se, 1",
        "atomic, 4",
        "atomic-request, 2",
        "immediate, 2",
        "immediate-se, 1",
        "terminate, 1",
        "bad, 1",
        "note, 0",
        "'mpa,terminate', 3",
    })
    void printsTheKindsThatAreAskedFor(String kinds, int count) {
        List<String> lines = decode("rev2_all", "--json", "--only", kinds).lines();

        assertThat(lines).hasSize(count + 1);
        assertThat(lines).last().asString().startsWith("{\"kind\":\"summary\"");
    }

    @Test
    void printsWhatIsWrongAlone() {
        assertThat(decode("crc_bad", "--only", "bad").lines())
                .containsExactly(
                        "connection 1: 10.0.0.1:44100 > 10.0.0.2:18515",
                        "0.005000  6  1 >  Send  MSN 1 MO 0, 5 octets, last",
                        "    ! the CRC is 0xb890b10c, expected 0xb990b10c",
                        "1 connection, 2 MPA frames, 2 FPDUs, 1 problem");
    }

    @Test
    void printsPayloadIfAsked() {
        assertThat(decode("rev1", "-x").lines()).contains("    0000  68 65 6c 6c 6f" + " ".repeat(35) + "hello");
        assertThat(decode("rev1", "-x", "--json").out()).contains("\"payload\":\"68656c6c6f\"");
        assertThat(decode("rev1", "--json").out()).doesNotContain("\"payload\":");
    }

    @Test
    void readsTheStandardInput() throws IOException {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(Decoded.octets("rev1")));
        try {
            assertThat(CommandRun.of("decode", "-")).isEqualTo(decode("rev1"));
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void saysThatThereIsNoIwarp() throws IOException {
        CaptureBuilder http = new CaptureBuilder().open().send(CaptureBuilder.text("GET / HTTP/1.1\r\n\r\n"));
        CommandRun run = CommandRun.of("decode", file(http.pcap()).toString());

        assertThat(run.status()).isEqualTo(ExitStatus.OK);
        assertThat(run.out()).isEqualTo("no iWARP in 4 packets of 1 TCP connection\n");
    }

    @Test
    void saysWhatWasPassedOver() throws IOException {
        byte[] capture = new CaptureBuilder().open().pcap();
        capture[24 + 16 + 6] = 0x20; // more fragments
        capture[24 + 2 * 16 + 40 + 9] = 17; // UDP
        CommandRun run = CommandRun.of("decode", file(capture).toString());

        assertThat(run.lines())
                .containsExactly(
                        "0.000000  1  * frame 1 is skipped: an IPv4 fragment: fragments are not reassembled,"
                                + " and their contents are missing",
                        "no iWARP in 3 packets of 0 TCP connections",
                        "passed over: 1 packet, not TCP",
                        "passed over: 1 packet, IP fragments");
    }

    @Test
    void printsWhatIsThereOfAFileThatIsCutOff() throws IOException {
        byte[] whole = Decoded.octets("rev1");
        Path file = file(Arrays.copyOf(whole, 600));
        CommandRun run = CommandRun.of("decode", file.toString());

        assertThat(run.status()).isEqualTo(ExitStatus.FAILED);
        assertThat(run.err())
                .isEqualTo(
                        "verbs decode: %s ends at offset 600, %s octets are there%n".formatted(file, cutAt600(whole)));
        assertThat(run.lines()).contains("0.005000  6  1 >  Send  MSN 1 MO 0, 5 octets, last");
    }

    /** Which frame lies around offset 600, worked out anew. */
    private static String cutAt600(byte[] pcap) {
        int at = 24;
        for (int frame = 1; ; frame++) {
            int length = (pcap[at + 8] & 0xFF) | (pcap[at + 9] & 0xFF) << 8;
            if (at + 16 + length > 600) {
                return "within frame %d, which begins at offset %d: %d of %d"
                        .formatted(frame, at + 16, 600 - at - 16, length);
            }
            at += 16 + length;
        }
    }

    @Test
    void saysWhyAFileCannotBeRead() throws IOException {
        Path none = directory.resolve("none.pcap");
        CommandRun missing = CommandRun.of("decode", none.toString());
        assertThat(missing.status()).isEqualTo(ExitStatus.FAILED);
        assertThat(missing.err())
                .isEqualTo("verbs decode: " + none + " cannot be read: no such file; - reads the standard input\n");

        CommandRun folder = CommandRun.of("decode", directory.toString());
        assertThat(folder.status()).isEqualTo(ExitStatus.FAILED);
        assertThat(folder.err())
                .isEqualTo("verbs decode: " + directory + " cannot be read: it is a directory; remedy: name a capture"
                        + " in it\n");

        Path text = file(CaptureBuilder.text("no capture\n"));
        CommandRun notPcap = CommandRun.of("decode", text.toString());
        assertThat(notPcap.status()).isEqualTo(ExitStatus.FAILED);
        assertThat(notPcap.err())
                .isEqualTo("verbs decode: " + text + " is neither pcap nor pcapng: found 6e 6f 20 63, not a capture"
                        + " (tcpdump -w FILE makes one), at offset 0\n");
    }

    @ParameterizedTest
    @CsvSource({
        "--connection 0, Invalid connection 0",
        "--connection x, Invalid value for option '--connection'",
        "--port 70000, Invalid port 70000 (valid range is 1 to 65535)",
        "--only nothing, Unknown kind nothing",
        "'', Missing required parameter: 'FILE'",
    })
    void refusesAWrongCommandLine(String options, String complaint) {
        String[] arguments = ("decode " + options + (options.isEmpty() ? "" : " x.pcap")).split(" ");
        CommandRun run = CommandRun.of(arguments);

        assertThat(run.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(run.err()).contains(complaint);
        assertThat(run.out()).isEmpty();
    }

    /** Simple Packet Blocks have no time: what came in them alone has none, and the first that there is counts. */
    @Test
    void saysNoTimeWhereTheCaptureHasNone() throws IOException {
        byte[] fpdus = new Fpdus().send(5, 1).send(6, 2).send(700, 3).octets();
        CaptureBuilder capture =
                new CaptureBuilder().open().send(Fpdus.mpa(false, true, false)).answer(Fpdus.mpa(true, true, false));
        int second = new Fpdus().send(5, 1).octets().length;
        capture.send(Arrays.copyOf(fpdus, second)).send(Arrays.copyOfRange(fpdus, second, fpdus.length - 9));
        capture.send(Arrays.copyOfRange(fpdus, fpdus.length - 9, fpdus.length));
        List<byte[]> blocks = new ArrayList<>();
        blocks.add(PcapngBlocks.section(ByteOrder.LITTLE_ENDIAN));
        blocks.add(PcapngBlocks.description(ByteOrder.LITTLE_ENDIAN, 101, 0, new byte[0]));
        for (int i = 0; i < capture.size(); i++) {
            byte[] packet = capture.packets().get(i);
            long micros = 1_700_000_000_000_000L + 1000L * i;
            // Without a time: the first packet, the Request, and the last piece of the third Send.
            blocks.add(
                    i == 0 || i == 3 || i == 7
                            ? PcapngBlocks.simple(ByteOrder.LITTLE_ENDIAN, packet)
                            : PcapngBlocks.enhanced(ByteOrder.LITTLE_ENDIAN, 0, micros, packet));
        }
        Path file = file(PcapngBlocks.joined(blocks.toArray(new byte[0][])));

        CommandRun text = CommandRun.of("decode", file.toString());
        assertThat(text.lines())
                .contains(
                        "-  4  1 >  MPA Request  rev 1, CRC, no markers",
                        "0.003000  5  1 <  MPA Reply  rev 1, CRC, no markers",
                        "0.005000  7,8  1 >  Send  MSN 3 MO 0, 700 octets, last");
        CommandRun json = CommandRun.of("decode", "--json", file.toString());
        assertThat(json.lines().getFirst()).contains("\"mpa-request\"").doesNotContain("\"time\"");
        assertThat(json.lines().get(1)).contains("\"time\":\"2023-11-14T22:13:20.004Z\"");
        assertThat(json.out()).doesNotContain("1970");
    }

    private static CaptureBuilder withEthernet(boolean timestamps) {
        CaptureBuilder capture = new CaptureBuilder().open();
        capture.send(Fpdus.mpa(false, true, false)).answer(Fpdus.mpa(true, true, false));
        capture.send(new Fpdus().send(100, 1).octets()).close();
        for (int i = 0; i < capture.size(); i++) {
            byte[] ip = capture.packets().get(i);
            int options = timestamps ? 12 : 0;
            ByteBuffer frame = ByteBuffer.allocate(14 + ip.length + options);
            frame.putShort(12, (short) 0x0800);
            frame.put(14, ip, 0, 40).put(14 + 40 + options, ip, 40, ip.length - 40);
            frame.putShort(16, (short) (ip.length + options)).put(14 + 32, (byte) ((20 + options) << 2));
            capture.packets().set(i, frame.array());
        }
        return capture;
    }

    private Path cutOff(CaptureBuilder capture, int snapLength) throws IOException {
        byte[] pcap = capture.pcap(snapLength);
        pcap[20] = 1; // Ethernet
        return file(pcap);
    }

    /** Nothing of an FPDU, and of an MPA frame its key at best: nothing can be judged, and that is said. */
    @ParameterizedTest
    @CsvSource({"64, true, 0", "68, true, 0", "64, false, 1", "68, false, 1", "54, false, 0", "40, false, 0"})
    void aCaptureThatIsCutOffTooShortIsNoCleanOne(int snapLength, boolean timestamps, int found) throws IOException {
        Path file = cutOff(withEthernet(timestamps), snapLength);

        CommandRun text = CommandRun.of("decode", file.toString());
        assertThat(text.status()).isEqualTo(ExitStatus.FAILED);
        assertThat(text.err())
                .startsWith("verbs decode: " + file + " shows no MPA frame and no FPDU: ")
                .contains(
                        "captured only in part",
                        "at most " + snapLength + " octets of each",
                        "; remedy: capture whole packets")
                .hasLineCount(1);
        CommandRun json = CommandRun.of("decode", "--json", file.toString());
        assertThat(json.status()).isEqualTo(ExitStatus.FAILED);
        assertThat(json.lines().getLast())
                .contains("\"connections\":" + found + ",")
                .containsPattern(snapLength == 40 ? "\"CUT_OFF\":9" : "\"cutOff\":3,");
    }

    @Test
    void saysHowManyPacketsWereCapturedInPart() throws IOException {
        CommandRun run = CommandRun.of("decode", cutOff(withEthernet(true), 100).toString());

        assertThat(run.status()).isEqualTo(ExitStatus.OK);
        assertThat(run.lines())
                .endsWith(
                        "1 connection, 2 MPA frames, 1 FPDU, 0 problems",
                        "1 packet captured only in part, at most 100 octets of each");
    }

    /** A connection whose first octets show something else is none that the snap length could hide. */
    @Test
    void whatIsSeenToBeSomethingElseMayBeCutOff() throws IOException {
        byte[] request = CaptureBuilder.text("GET / HTTP/1.1\r\n" + "X: 0\r\n".repeat(50));
        Path file = file(new CaptureBuilder().open().send(request).send(request).pcap(60));

        assertThat(CommandRun.of("decode", file.toString()).status()).isEqualTo(ExitStatus.OK);
    }

    @Test
    void showsHowConnectionsEnd() throws IOException {
        CaptureBuilder closed =
                new CaptureBuilder().open().send(Fpdus.mpa(false, true, false)).answer(Fpdus.mpa(true, true, false));
        closed.send(new Fpdus().send(5, 1).octets()).close();
        closed.move(closed.size() - 3, closed.size() - 4); // the FIN before the octets that it ends
        CaptureBuilder reset = new CaptureBuilder(40_001, 5).open().send(Fpdus.mpa(false, true, false));
        int flags = CaptureBuilder.RST | CaptureBuilder.ACK;
        reset.segment(false, reset.peerSequence(), reset.sequence(), flags, new byte[0])
                .segment(false, reset.peerSequence(), reset.sequence(), flags, new byte[0]);
        CaptureBuilder http = new CaptureBuilder(40_002, 9)
                .open()
                .send(CaptureBuilder.text("GET /"))
                .close();
        Path file = file(closed.with(reset).with(http).pcap());

        CommandRun text = CommandRun.of("decode", file.toString());
        assertThat(text.status()).isEqualTo(ExitStatus.OK);
        assertThat(text.lines())
                .filteredOn(line -> line.contains("  Send") || line.endsWith("  FIN") || line.endsWith("  RST"))
                .containsExactly(
                        "0.006000  7  1 >  Send  MSN 1 MO 0, 5 octets, last",
                        "0.005000  6  1 >  FIN",
                        "0.007000  8  1 <  FIN",
                        "0.013000  14  2 <  RST");
        assertThat(text.lines()).contains("2 connections, 3 MPA frames, 1 FPDU, 0 problems");
        CommandRun json = CommandRun.of("decode", "--json", "--only", "fin", file.toString());
        assertThat(json.lines())
                .hasSize(3)
                .first()
                .isEqualTo(
                        "{\"kind\":\"fin\",\"connection\":1,\"from\":\"10.0.0.1:40000\",\"to\":\"10.0.0.2:7174\","
                                + "\"sender\":\"INITIATOR\",\"fromOpener\":true,\"time\":\"2023-11-14T22:13:20.005Z\",\"frame\":6}");
        assertThat(CommandRun.of("decode", "--only", "tcp", "--connection", "2", file.toString())
                        .lines())
                .contains("0.013000  14  2 <  RST")
                .hasSize(4);
    }

    @Test
    void namesTheDepthsOfSmbDirect() throws IOException {
        Octets depths = Octets.of(HexFormat.of().parseHex("0000001000000008"));
        Octets little = Octets.of(HexFormat.of().parseHex("2000000001000000"));
        List<String> lines = new ArrayList<>();
        for (Octets data : List.of(depths, little)) {
            byte[] request = new MpaFrame(false, false, true, false, 1, null, data).encode();
            for (int port : new int[] {5445, 40_000}) {
                CaptureBuilder capture = new CaptureBuilder(port, 1000).open().send(request);
                lines.add(CommandRun.of("decode", file(capture.pcap()).toString())
                        .lines()
                        .get(1));
            }
        }
        String frame = "0.003000  4  1 >  MPA Request  rev 1, CRC, no markers, ";
        String unnamed = frame + "8 octets of private data";

        assertThat(lines)
                .containsExactly(
                        frame + "SMB Direct IRD 16, SMB Direct ORD 8, 8 octets of private data",
                        unnamed,
                        frame
                                + "SMB Direct IRD 32, SMB Direct ORD 1 (in little-endian order), 8 octets of private"
                                + " data",
                        unnamed);
        byte[] enhanced = new MpaFrame(false, false, true, false, 2, EnhancedBlock.clientServer(4, 3), depths).encode();
        CaptureBuilder other = new CaptureBuilder(5445, 1000).open().send(enhanced);
        assertThat(CommandRun.of("decode", "--json", file(other.pcap()).toString())
                        .out())
                .doesNotContain("smbDirect");
        byte[] request = new MpaFrame(false, false, true, false, 1, null, depths).encode();
        CaptureBuilder smb = new CaptureBuilder(5445, 1000).open().send(request);
        assertThat(CommandRun.of("decode", "--json", file(smb.pcap()).toString())
                        .out())
                .contains("\"smbDirect\":{\"ird\":16,\"ord\":8,\"littleEndian\":false}");
    }
}
