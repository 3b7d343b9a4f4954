package org.panamaverbs.sockets.rsocket;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** One side by itself: the bytes of rdma-core 44.0 over siw, and peers that break the protocol. */
class RsocketTest {
    private static final int HALF = 65536;
    private static final int CREDITS = 384;

    private static final int IOMAPS = 2;

    private final MemorySegment table = Arena.ofAuto().allocate(OwnBuffers.tableBytes(IOMAPS));

    /** The server of the worked frames, and what it was told by its client. */
    private final OwnBuffers server =
            new OwnBuffers(0x7fa560024000L, 0xf75cdf00, 0x7fa560026000L, 0x5634ad00, HALF, CREDITS, IOMAPS);

    private final ConnectData client = new OwnBuffers(
                    0x55d616f85000L, 0x549efd00, 0x55d616f87000L, 0x8658bb00, HALF, CREDITS, 1)
            .connectData(false);

    private final Rsocket rsocket = new Rsocket(server, false, table, client, Rsocket.IWARP_RESERVE);

    private static String hex(MemorySegment octets) {
        return HexFormat.of().formatHex(octets.toArray(ValueLayout.JAVA_BYTE));
    }

    private static String payload(int message) {
        MemorySegment four = MemorySegment.ofArray(new byte[Message.BYTES]);
        four.set(ValueLayout.JAVA_INT_UNALIGNED.withOrder(java.nio.ByteOrder.LITTLE_ENDIAN), 0, message);
        return hex(four);
    }

    private void writeEntry(int index, long address, int key, int length) {
        TargetTable.write(table.asSlice((long) index * TargetTable.ENTRY_BYTES), false, address, key, length);
    }

    private Fault sgl(int limit) {
        return rsocket.receive(Message.sgl(limit));
    }

    @Test
    void grantsItsSecondHalfFirst() {
        assertThat(rsocket.grantDue()).isTrue();
        assertThat(rsocket.grantsHalf()).isTrue();
        assertThat(rsocket.entryAddress()).isEqualTo(0x55d616f85010L);
        assertThat(rsocket.entryKey()).isEqualTo(0x549efd00);
        MemorySegment entry = Arena.ofAuto().allocate(OwnBuffers.ENTRY_BYTES);
        rsocket.writeEntry(entry);
        assertThat(hex(entry)).isEqualTo("00600360a57f0000" + "00ad3456" + "00000100");
        assertThat(payload(rsocket.granted())).isEqualTo("80010080");
        assertThat(rsocket.grantDue()).isFalse();
    }

    @Test
    void writesEntriesInTheOrderThatThePeerAskedFor() {
        MemorySegment entry = Arena.ofAuto().allocate(OwnBuffers.ENTRY_BYTES);
        TargetTable.write(entry, true, 0x7fa560036000L, 0x5634ad00, HALF);
        assertThat(hex(entry)).isEqualTo("00007fa560036000" + "5634ad00" + "00010000");
    }

    @Test
    void sendsToWhereThePeerWants() {
        assertThat(rsocket.sendable(16)).isEqualTo(16);
        assertThat(rsocket.targetAddress()).isEqualTo(0x55d616f87000L);
        assertThat(rsocket.targetKey()).isEqualTo(0x8658bb00);
        assertThat(payload(rsocket.sent(16))).isEqualTo("10000000");
        assertThat(rsocket.targetAddress()).isEqualTo(0x55d616f87010L);
        assertThat(rsocket.sendable(100_000)).as("no message crosses an entry").isEqualTo(HALF - 16);
        rsocket.sent(HALF - 16);
        assertThat(rsocket.sendable(1)).as("no entry").isZero();

        writeEntry(1, 0x1000, 7, 50);
        assertThat(rsocket.sendable(1)).as("an entry counts with its message").isZero();
        assertThat(sgl(CREDITS)).isEqualTo(Fault.NONE);
        assertThat(rsocket.sendable(100)).isEqualTo(50);
        assertThat(rsocket.targetAddress()).isEqualTo(0x1000);
        assertThat(rsocket.targetKey()).isEqualTo(7);
        assertThat(new TargetTable(table, false).length(1)).as("taken").isZero();
    }

    @Test
    void endsAsRdmaCoreDoes() {
        assertThat(payload(rsocket.shutdownOutput())).isEqualTo("020000e0");
        assertThat(rsocket.sendable(1)).isZero();
        assertThat(rsocket.isDisconnected()).isFalse();
        assertThat(rsocket.receive(Message.data(100))).as("it may still send").isEqualTo(Fault.NONE);
        rsocket.receive(Message.SHUTDOWN);
        assertThat(rsocket.isDisconnected()).as("both said it").isTrue();
        assertThat(rsocket.readable()).isEqualTo(100);
    }

    @Test
    void answersShutdownByDisconnect() {
        rsocket.receive(Message.SHUTDOWN);
        assertThat(rsocket.isInputEnded()).isTrue();
        assertThat(rsocket.sendable(1)).isEqualTo(1);
        assertThat(payload(rsocket.shutdownOutput())).isEqualTo("000000e0");
        assertThat(rsocket.isDisconnected()).isTrue();
    }

    @Test
    void takesNoDataBehindShutdownAndNothingBehindDisconnect() {
        rsocket.receive(Message.data(20));
        rsocket.receive(Message.SHUTDOWN);
        assertThat(rsocket.receive(Message.data(20))).isEqualTo(Fault.DATA_BEHIND_END);
        assertThat(rsocket.readable()).isEqualTo(20);
        rsocket.receive(Message.DISCONNECT);
        assertThat(rsocket.receive(Message.data(20))).isEqualTo(Fault.NONE);
        assertThat(rsocket.readable()).isEqualTo(20);
        assertThat(rsocket.isOutputOpen()).isFalse();
        assertThat(rsocket.grantDue()).isFalse();
    }

    @Test
    void leavesCreditsOnIwarp() {
        for (int i = 0; i < CREDITS - Rsocket.IWARP_RESERVE; i++) {
            assertThat(rsocket.sendable(1)).isEqualTo(1);
            rsocket.sent(1);
        }
        assertThat(rsocket.sendable(1)).isZero();
        assertThat(sgl(CREDITS + 1)).isEqualTo(Fault.NONE);
        assertThat(rsocket.sendable(1)).isEqualTo(1);
    }

    @Test
    void givesCreditsBackBeforeTheirOctetsAreRead() {
        rsocket.granted();
        for (int i = 0; i < CREDITS / 2; i++) {
            assertThat(rsocket.grantDue()).isFalse();
            rsocket.receive(Message.data(1));
        }
        assertThat(rsocket.grantDue()).isTrue();
        assertThat(rsocket.grantsHalf()).isFalse();
        assertThat(rsocket.granted()).isEqualTo(0x80000000 + CREDITS / 2 + CREDITS);
    }

    @Test
    void ignoresUnknownControls() {
        assertThat(rsocket.receive(0xe0000001)).isEqualTo(Fault.NONE);
        assertThat(rsocket.receive(0xe0001234)).isEqualTo(Fault.NONE);
        assertThat(rsocket.isInputEnded()).isFalse();
    }

    @Test
    void refusesReservedTypesAndEmptyData() {
        assertThat(rsocket.receive(0x20000003)).isEqualTo(Fault.RESERVED_TYPE);
        assertThat(rsocket.receive(0x40000003)).isEqualTo(Fault.RESERVED_TYPE);
        assertThat(rsocket.receive(0x60000003)).isEqualTo(Fault.RESERVED_TYPE);
        assertThat(rsocket.receive(0xa0000003)).isEqualTo(Fault.RESERVED_TYPE);
        assertThat(rsocket.receive(0)).isEqualTo(Fault.EMPTY_DATA);
        assertThat(rsocket.readable()).isZero();
    }

    /** As the server of siw-iomap.pcap maps 65,536 bytes at offset 0. */
    @Test
    void tellsOfMappingsAsRdmaCoreDoes() {
        ConnectData other = new ConnectData(false, CREDITS, 1, 0x55b82dac9000L, 0x009164df, 2, 0x1000, 1, HALF);
        Rsocket mapping = new Rsocket(server, false, table, other, Rsocket.IWARP_RESERVE);
        assertThat(mapping.iomapEntries()).isEqualTo(1);
        assertThat(mapping.canMap()).isTrue();
        assertThat(mapping.iomapAddress(0)).isEqualTo(0x55b82dac9020L);
        assertThat(mapping.entryKey()).isEqualTo(0x009164df);
        MemorySegment entry = Arena.ofAuto().allocate(IomapTable.ENTRY_BYTES);
        mapping.writeIomap(entry, 0, 0x560cea639120L, 0x10e15500, HALF);
        assertThat(hex(entry)).isEqualTo("0000000000000000" + "209163ea0c560000" + "0055e110" + "00000100");
        assertThat(payload(mapping.mapped(0))).isEqualTo("000000c0");
        IomapTable.write(entry, true, 5, 0x560cea639120L, 0x10e15500, HALF);
        assertThat(hex(entry)).isEqualTo("0000000000000005" + "0000560cea639120" + "10e15500" + "00010000");
    }

    @Test
    void mappingsTakeCreditsOnBothSides() {
        for (int i = 0; i < CREDITS - Rsocket.IWARP_RESERVE; i++) {
            assertThat(rsocket.canMap()).isTrue();
            rsocket.mapped(0);
        }
        assertThat(rsocket.canMap()).isFalse();
        assertThat(rsocket.sendable(1)).isZero();
        assertThat(sgl(CREDITS + 1)).isEqualTo(Fault.NONE);
        assertThat(rsocket.canMap()).isTrue();

        rsocket.granted();
        writeIomap(0, 0, 0x1000, 10);
        for (int i = 0; i < CREDITS; i++) {
            assertThat(rsocket.receive(0xc0000000)).isEqualTo(Fault.NONE);
        }
        assertThat(rsocket.grantDue()).as("they are given back").isTrue();
        assertThat(rsocket.receive(0xc0000000)).isEqualTo(Fault.BEYOND_CREDITS);
        rsocket.disconnect();
        assertThat(rsocket.canMap()).isFalse();
    }

    private void writeIomap(int index, long offset, long address, int length) {
        int at = OwnBuffers.TABLE_BYTES + index * IomapTable.ENTRY_BYTES;
        IomapTable.write(table.asSlice(at), false, offset, address, 7 + index, length);
    }

    @Test
    void writesToWhatThePeerHasMappedOnceItsMessageHasCome() {
        IomapTable mappings = rsocket.peerMappings();
        writeIomap(0, 100, 0x1000, 50);
        assertThat(mappings.find(100)).isEqualTo(-1);
        rsocket.receive(0xc0000000);
        assertThat(mappings.find(99)).isEqualTo(-1);
        assertThat(mappings.find(100)).isZero();
        assertThat(mappings.find(149)).isZero();
        assertThat(mappings.find(150)).isEqualTo(-1);
        assertThat(mappings.address(0, 120)).isEqualTo(0x1014);
        assertThat(mappings.rest(0, 120)).isEqualTo(30);
        assertThat(mappings.key(0)).isEqualTo(7);

        writeIomap(0, 0, 0x9000, 10); // without a message nothing of it counts
        writeIomap(1, Long.MAX_VALUE, 0x2000, -1);
        rsocket.receive(0xc0000001);
        assertThat(mappings.find(100)).isZero();
        assertThat(mappings.find(Long.MAX_VALUE)).isEqualTo(1);
        assertThat(mappings.find(Long.MAX_VALUE + 5)).as("unsigned").isEqualTo(1);
        assertThat(mappings.rest(1, Long.MAX_VALUE)).isEqualTo(0xffff_ffffL);
    }

    @Test
    void refusesMappingsThatCannotBe() {
        assertThat(rsocket.receive(0xc0000002)).isEqualTo(Fault.NO_IOMAP);
        assertThat(rsocket.receive(0xdfffffff)).isEqualTo(Fault.NO_IOMAP);
        assertThat(rsocket.receive(0xc0000000)).as("of no bytes").isEqualTo(Fault.BAD_ENTRY);
        writeIomap(0, 0, 0, 10);
        assertThat(rsocket.receive(0xc0000000)).as("at no address").isEqualTo(Fault.BAD_ENTRY);
        writeIomap(0, 0, -10, 11);
        assertThat(rsocket.receive(0xc0000000)).as("beyond the addresses").isEqualTo(Fault.BAD_ENTRY);
        writeIomap(0, 0, -10, 10);
        assertThat(rsocket.receive(0xc0000000)).isEqualTo(Fault.NONE);
        rsocket.receive(Message.SHUTDOWN);
        assertThat(rsocket.receive(0xc0000000)).isEqualTo(Fault.DATA_BEHIND_END);
    }

    @Test
    void refusesDataBeyondItsBuffers() {
        assertThat(rsocket.receive(Message.data(HALF + 1))).isEqualTo(Fault.BEYOND_BUFFER);
        assertThat(rsocket.receive(Message.data(HALF))).isEqualTo(Fault.NONE);
        assertThat(rsocket.receive(Message.data(1))).as("not granted yet").isEqualTo(Fault.BEYOND_BUFFER);
        rsocket.granted();
        assertThat(rsocket.receive(Message.data(HALF - 1))).isEqualTo(Fault.NONE);
        rsocket.read(HALF);
        rsocket.granted();
        assertThat(rsocket.receive(Message.data(2))).as("across the end").isEqualTo(Fault.BEYOND_BUFFER);
        assertThat(rsocket.receive(Message.data(1))).isEqualTo(Fault.NONE);
        assertThat(rsocket.receive(Message.data(0x1fffffff))).isEqualTo(Fault.BEYOND_BUFFER);
    }

    @Test
    void refusesMessagesBeyondTheCredits() {
        for (int i = 0; i < CREDITS; i++) {
            assertThat(rsocket.receive(Message.data(1))).isEqualTo(Fault.NONE);
        }
        assertThat(rsocket.receive(Message.data(1))).isEqualTo(Fault.BEYOND_CREDITS);
    }

    @Test
    void refusesLimitsThatGoBackOrRound() {
        rsocket.sent(1);
        assertThat(sgl(CREDITS - 1)).isEqualTo(Fault.LIMIT_LOWERED);
        assertThat(sgl(0)).isEqualTo(Fault.LIMIT_LOWERED);
        assertThat(sgl(0x8001)).as("too far ahead").isEqualTo(Fault.LIMIT_LOWERED);
        assertThat(sgl(0x8000)).isEqualTo(Fault.NONE);
        assertThat(sgl(0x7fff)).isEqualTo(Fault.LIMIT_LOWERED);
    }

    @Test
    void refusesEntriesThatCannotBe() {
        writeEntry(1, 0, 7, 50);
        assertThat(sgl(CREDITS)).isEqualTo(Fault.BAD_ENTRY);
        writeEntry(1, -10, 7, 50);
        assertThat(sgl(CREDITS)).isEqualTo(Fault.BAD_ENTRY);
        writeEntry(1, 0x1000, 7, -1);
        assertThat(sgl(CREDITS)).isEqualTo(Fault.BAD_ENTRY);
    }

    @Test
    void refusesEntriesInUse() {
        writeEntry(1, 0x1000, 7, 50);
        assertThat(sgl(CREDITS)).isEqualTo(Fault.NONE);
        writeEntry(0, 0x2000, 7, 50);
        assertThat(sgl(CREDITS)).as("the first buffer is not full").isEqualTo(Fault.ENTRY_IN_USE);
    }

    @Test
    void ignoresEntriesOutOfTurn() {
        rsocket.sent(rsocket.sendable(HALF));
        writeEntry(0, 0x2000, 7, 50);
        assertThat(sgl(CREDITS)).isEqualTo(Fault.NONE);
        assertThat(rsocket.sendable(1)).isZero();
    }

    @Test
    void countsGoRoundAt65536() {
        int granted = 0;
        for (int i = 0; i < 150_000; i++) {
            if (i % 100 == 0) {
                assertThat(sgl((i + CREDITS) & 0xffff)).isEqualTo(Fault.NONE);
            }
            if (i == granted * HALF + 5) {
                granted++;
                writeEntry(granted % 2, granted * 0x100000L, granted, HALF);
            }
            assertThat(rsocket.sendable(1)).isEqualTo(1);
            rsocket.sent(1);
        }
        assertThat(rsocket.targetKey()).isEqualTo(2);
        assertThat(rsocket.targetAddress()).isEqualTo(0x200000 + 150_000 - 2 * HALF);
    }
}
