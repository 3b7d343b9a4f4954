package org.panamaverbs.examples.nvme.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The bytes of each structure, as NVM Express and NVMe over Fabrics have them. */
class WireTest {
    private final byte[] octets = new byte[64];
    private final MemorySegment segment = MemorySegment.ofArray(octets);
    private final Command command = new Command(segment, 0);

    @Test
    void aReadNamesTheHostsMemoryByAKeyedDescriptor() {
        command.begin(Opcode.READ, 0x1234)
                .namespace(1)
                .qword(10, 0x0102030405060708L)
                .dword(12, 127)
                .keyed(Command.KEYED_INVALIDATE, 0x1122334455667788L, 0x010000, 0xAABBCCDD);

        assertThat(hex(octets))
                .isEqualTo("02403412" + "01000000" + zeros(16) // opcode, flags, id; namespace; nothing
                        + "8877665544332211" + "000001" + "ddccbbaa" + "4f" // address, length, key, type
                        + "0807060504030201" + "7f000000" + zeros(12)); // first block, blocks less one
        assertThat(command.opcode()).isEqualTo(Opcode.READ);
        assertThat(command.id()).isEqualTo(0x1234);
        assertThat(command.isKeyed()).isTrue();
        assertThat(command.length()).isEqualTo(0x010000);
        assertThat(command.key()).isEqualTo(0xAABBCCDD);
        assertThat(command.address()).isEqualTo(0x1122334455667788L);
        assertThat(command.qword(10)).isEqualTo(0x0102030405060708L);
        assertThat(command.hasLegalFlags()).isTrue();
    }

    @Test
    void aWriteNamesDataInItsCapsuleByAnOffset() {
        command.begin(Opcode.WRITE, 1).namespace(1).inCapsule(4096);

        assertThat(hex(octets))
                .isEqualTo("01400100" + "01000000" + zeros(16) + zeros(8) + "00100000" + "000000" + "01" + zeros(24));
        assertThat(command.isKeyed()).isFalse();
        assertThat(command.length()).isEqualTo(4096);
    }

    @Test
    void aCommandWithoutDataHasAnEmptyKeyedDescriptor() {
        command.begin(Opcode.FLUSH, 2).namespace(1);

        assertThat(hex(octets)).isEqualTo("00400200" + "01000000" + zeros(16) + zeros(15) + "40" + zeros(24));
    }

    @Test
    void aPropertySetHasAttributesOffsetAndValue() {
        command.beginFabrics(Opcode.PROPERTY_SET, 3)
                .dword(11, Property.CC)
                .dword(12, Property.CC_USUAL | Property.CC_ENABLE);

        assertThat(hex(octets))
                .isEqualTo("7f400300" + "00" + zeros(19) + zeros(15) + "40" + "00000000" + "14000000" + "01004600"
                        + zeros(12));
    }

    @Test
    void aConnectHasQueueAndDepth() {
        command.beginFabrics(Opcode.CONNECT, 4).dword(10, 2 << 16).dword(11, 31).dword(12, 5000);

        assertThat(hex(octets))
                .isEqualTo("7f400400" + "01" + zeros(19) + zeros(15) + "40" + "0000" + "0200" + "1f00" + "0000"
                        + "88130000" + zeros(12));
        assertThat(command.fabricsType()).isEqualTo(Opcode.CONNECT);
    }

    @Test
    void aResponseHasItsStatusAboveThePhaseBit() {
        byte[] bytes = new byte[16];
        Response response = new Response(MemorySegment.ofArray(bytes), 0);
        response.set(0x1234, Status.LBA_RANGE | Status.DO_NOT_RETRY, 0x8877665544332211L, 5);

        assertThat(hex(bytes)).isEqualTo("1122334455667788" + "0500" + "0000" + "3412" + "0081");
        assertThat(response.status()).isEqualTo(Status.LBA_RANGE | Status.DO_NOT_RETRY);
        assertThat(response.commandId()).isEqualTo(0x1234);
        assertThat(response.result()).isEqualTo(0x8877665544332211L);
    }

    @Test
    void theSetUpIsSmallNumbersInThirtyTwoOctets() {
        byte[] request = new SetupRequest(1, 128, 127, 9).encode();

        assertThat(hex(request)).isEqualTo("0000" + "0100" + "8000" + "7f00" + "0900" + zeros(22));
        assertThat(SetupRequest.fault(request)).isEqualTo(SetupRejection.NONE);
        assertThat(SetupRequest.decode(request)).isEqualTo(new SetupRequest(1, 128, 127, 9));
        assertThat(hex(new SetupReply(128).encode())).isEqualTo("0000" + "8000" + zeros(28));
        assertThat(SetupReply.decode(new SetupReply(128).encode()).receives()).isEqualTo(128);
        assertThat(hex(SetupRejection.encode(SetupRejection.QUEUE_ID))).isEqualTo("00000300");
        assertThat(SetupRejection.text(new byte[] {0, 0, 3, 0, 0, 0})).isEqualTo("invalid queue id");
        assertThat(SetupRejection.text(new byte[0])).isEqualTo("no reason");
    }

    @Test
    void aSetUpOfAnotherFormIsFound() {
        assertThat(SetupRequest.fault(new byte[31])).isEqualTo(SetupRejection.LENGTH);
        byte[] request = new SetupRequest(0, 32, 31, 0).encode();
        request[0] = 1;
        assertThat(SetupRequest.fault(request)).isEqualTo(SetupRejection.FORMAT);
        assertThatThrownBy(() -> SetupReply.decode(new byte[3])).hasMessageContaining("3 bytes that are no reply");
    }

    @Test
    void theDataOfConnectHasNamesInFieldsOf256() {
        byte[] bytes = new byte[ConnectData.BYTES];
        var data = new ConnectData(
                UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"), ConnectData.ANY_CONTROLLER, "nqn.s", "nqn.h");
        data.encode(MemorySegment.ofArray(bytes), 0);

        assertThat(hex(bytes))
                .isEqualTo("00112233445566778899aabbccddeeff" + "ffff" + zeros(238) + "6e716e2e73" + zeros(251)
                        + "6e716e2e68" + zeros(251) + zeros(256));
        assertThat(ConnectData.decode(MemorySegment.ofArray(bytes), 0)).isEqualTo(data);
    }

    /** No field of a hostile host's is believed to end: the longest name has no 0. */
    @Test
    void aNameMayFillItsField() {
        byte[] bytes = new byte[ConnectData.BYTES];
        Arrays.fill(bytes, (byte) 'x');

        assertThat(ConnectData.decode(MemorySegment.ofArray(bytes), 0).subsystem())
                .isEqualTo("x".repeat(256));
        assertThatThrownBy(() ->
                        new ConnectData(new UUID(0, 0), 0, "x".repeat(257), "").encode(MemorySegment.ofArray(bytes), 0))
                .hasMessageContaining("has 257 bytes, and its field 256");
    }

    @Test
    void whatIdentifySaysOfAControllerComesBack() {
        MemorySegment bytes = MemorySegment.ofArray(new byte[ControllerData.BYTES]);
        var data = new ControllerData(7, "S1", "M 1", 8, true, 4160, "nqn.s");
        data.encode(bytes, 0, 32);

        assertThat(ControllerData.decode(bytes, 0)).isEqualTo(data);
        assertThat(at(bytes, 4, 20)).isEqualTo("5331" + "20".repeat(18));
        assertThat(at(bytes, 76, 4)).isEqualTo("02" + "08" + "0700"); // CMIC, MDTS, CNTLID
        assertThat(at(bytes, 80, 4)).isEqualTo("00030100"); // VER
        assertThat(at(bytes, 320, 2)).isEqualTo("0a00"); // KAS
        assertThat(at(bytes, 512, 8)).isEqualTo("66" + "44" + "2000" + "01000000"); // SQES, CQES, MAXCMD, NN
        assertThat(at(bytes, 525, 1)).isEqualTo("01"); // VWC
        assertThat(at(bytes, 536, 4)).isEqualTo("05001000"); // SGLS
        assertThat(at(bytes, 1792, 12)).isEqualTo("04010000" + "01000000" + "0000" + "00" + "01"); // IOCCSZ to MSDBD
    }

    @Test
    void whatIdentifySaysOfANamespaceComesBack() {
        MemorySegment bytes = MemorySegment.ofArray(new byte[NamespaceData.BYTES]);
        var data = new NamespaceData(0x10000, 9);
        data.encode(bytes, 0);

        assertThat(NamespaceData.decode(bytes, 0)).isEqualTo(data);
        assertThat(at(bytes, 0, 16)).isEqualTo("0000010000000000".repeat(2)); // NSZE, NCAP
        assertThat(at(bytes, 128, 4)).isEqualTo("00000900"); // LBAF0
    }

    @Test
    void aNamespaceThatCannotBeIsRefused() {
        MemorySegment bytes = MemorySegment.ofArray(new byte[NamespaceData.BYTES]);
        new NamespaceData(1, 31).encode(bytes, 0);

        assertThatThrownBy(() -> NamespaceData.decode(bytes, 0)).hasMessageContaining("1 blocks of 2^31 bytes");
    }

    private static String at(MemorySegment segment, long at, long bytes) {
        return hex(segment.asSlice(at, bytes).toArray(ValueLayout.JAVA_BYTE));
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static String zeros(int bytes) {
        return "00".repeat(bytes);
    }
}
