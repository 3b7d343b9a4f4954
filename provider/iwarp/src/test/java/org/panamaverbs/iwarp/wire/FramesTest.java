package org.panamaverbs.iwarp.wire;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.panamaverbs.testkit.Requirement;

/** Every worked example is made by the emitters and read by the views, byte for byte. */
class FramesTest {
    private static final int SINK = 0xAABBCC01;
    private static final int SOURCE = 0x55667702;
    private static final int INVALIDATED = 0xCAFE0100;
    private static final byte[] HELLO = ascii("hello");

    /** How to make one example, and what reading it must show. */
    private record Case(Producer producer, Check check) {}

    private interface Producer {
        byte[] make();
    }

    private interface Check {
        void read(byte[] wire);
    }

    private final Map<String, Case> cases = new LinkedHashMap<>();

    FramesTest() {
        markers();
        startup();
        readyToReceive();
        sends();
        tagged();
        extensions();
        terminates();
    }

    @TestFactory
    @Requirement({"RDMAP-4.8-01", "MPA-4.1-01", "MPA-4.2-01", "MPA-4.3-05", "MPA-4.3-06", "MPA-4.4-09"})
    Stream<DynamicTest> producesEveryFrame() {
        return Samples.all().stream()
                .map(sample -> DynamicTest.dynamicTest(
                        sample.id() + " " + sample.title(),
                        () -> assertThat(
                                        Octets.of(caseOf(sample.id()).producer().make()))
                                .isEqualTo(sample.bytes())));
    }

    @TestFactory
    Stream<DynamicTest> parsesEveryFrame() {
        return Samples.all().stream()
                .map(sample -> DynamicTest.dynamicTest(
                        sample.id() + " " + sample.title(),
                        () -> caseOf(sample.id()).check().read(sample.bytes().toByteArray())));
    }

    @Test
    void leavesNoFrameUntested() {
        assertThat(Samples.all()).hasSize(40);
        assertThat(Samples.all().stream().map(Samples.Sample::id)).containsExactlyInAnyOrderElementsOf(cases.keySet());
    }

    private Case caseOf(String id) {
        return requireNonNull(cases.get(id), "no case for " + id);
    }

    private void add(String id, Producer producer, Check check) {
        cases.put(id, new Case(producer, check));
    }

    private void markers() {
        byte[] zeros = new byte[24];
        add("X01", () -> Framing.fpduWithMarkers(0, Ulpdus.untagged(Opcode.SEND, 1, zeros)), wire -> {
            byte[] ulpdu = Framing.open(wire, true, 0);
            assertThat(Markers.fpduPointer(MemorySegment.ofArray(wire), 0)).isZero();
            checkUntagged(ulpdu, true, Opcode.SEND, 0, 1, 0, zeros);
        });
        add("X02", () -> Framing.fpduWithMarkers(0x1EC, Ulpdus.untagged(Opcode.SEND, 2, zeros)), wire -> {
            byte[] ulpdu = Framing.open(wire, true, 0x1EC);
            assertThat(Markers.fpduPointer(MemorySegment.ofArray(wire), 0x14)).isEqualTo(0x14);
            checkUntagged(ulpdu, true, Opcode.SEND, 0, 2, 0, zeros);
        });
    }

    private void startup() {
        startup("M01", new MpaFrame(false, false, true, false, 1, null, Octets.EMPTY));
        startup("M02", new MpaFrame(true, false, true, false, 1, null, Octets.of(ascii("ok"))));
        startup("M03", new MpaFrame(true, false, true, true, 1, null, Octets.of(ascii("full"))));
        EnhancedBlock offer = new EnhancedBlock(true, false, true, true, 16, 8);
        startup("M04", new MpaFrame(false, false, true, false, 2, offer, Octets.of(ascii("cfg!"))));
        EnhancedBlock choice = new EnhancedBlock(true, false, true, false, 8, 16);
        startup("M05", new MpaFrame(true, false, true, false, 2, choice, Octets.EMPTY));
        EnhancedBlock siw = EnhancedBlock.clientServer(128, 128);
        startup("M06", new MpaFrame(false, false, false, false, 2, siw, Octets.EMPTY));
        EnhancedBlock declined = EnhancedBlock.clientServer(EnhancedBlock.NOT_NEGOTIATED, EnhancedBlock.NOT_NEGOTIATED);
        startup("M07", new MpaFrame(true, false, true, false, 2, declined, Octets.EMPTY));
    }

    private void startup(String id, MpaFrame frame) {
        add(
                id,
                frame::encode,
                wire -> assertThat(MpaFrame.parse(MemorySegment.ofArray(wire), 0, wire.length, frame.reply()))
                        .isEqualTo(new MpaFrame.Frame(frame, wire.length)));
    }

    private void readyToReceive() {
        taggedCase("F01", Opcode.RDMA_WRITE, 1, 0, new byte[0]);
        readRequest("F02", 1, 0, 0, 0, 1, 0);
        taggedCase("F03", Opcode.READ_RESPONSE, 0, 0, new byte[0]);
        send("F04", true, Opcode.SEND, 0, 1, 0, new byte[0]);
    }

    private void sends() {
        send("F05", true, Opcode.SEND, 0, 1, 0, HELLO);
        send("F06", true, Opcode.SEND_INVALIDATE, INVALIDATED, 2, 0, HELLO);
        send("F07", true, Opcode.SEND_SE, 0, 3, 0, HELLO);
        send("F08", true, Opcode.SEND_SE_INVALIDATE, INVALIDATED, 4, 0, HELLO);
        send("F12", false, Opcode.SEND, 0, 5, 0, ascii("abcd"));
        send("F13", true, Opcode.SEND, 0, 5, 4, ascii("efg"));
    }

    private void tagged() {
        taggedCase("F09", Opcode.RDMA_WRITE, Ulpdus.TARGET, 0x1122334455667788L, new byte[] {0, 1, 2, 3, 4, 5, 6, 7});
        readRequest("F10", 1, SINK, 0x1000, 4096, SOURCE, 0x2000);
        taggedCase("F11", Opcode.READ_RESPONSE, SINK, 0x1000, ascii("DATA0123"));
    }

    private void extensions() {
        immediate("F14", Opcode.IMMEDIATE, 6);
        immediate("F15", Opcode.IMMEDIATE_SE, 7);
        add("F16", () -> Framing.fpdu(Ulpdus.fetchAdd(2, 0x4000)), wire -> {
            AtomicRequestView view = atomicRequest(wire, 2, 0x11223344);
            assertThat(view.operation()).isEqualTo(AtomicOpcode.FETCH_ADD);
            assertThat(view.check()).isNull();
            assertOperands(view, 5, 0, 0, -1);
        });
        atomicResponse("F17", 1, 0x11223344, 0x2A);
        add("F18", () -> Framing.fpdu(Ulpdus.compareSwap(3, 0x11223345, 0x64, 0x2F)), wire -> {
            AtomicRequestView view = atomicRequest(wire, 3, 0x11223345);
            assertThat(view.operation()).isEqualTo(AtomicOpcode.COMPARE_SWAP);
            assertThat(view.check()).isNull();
            assertOperands(view, 0x64, -1, 0x2F, -1);
        });
        atomicResponse("F19", 2, 0x11223345, 0x2F);
        add("F20", () -> Framing.fpdu(Ulpdus.draftSwap()), wire -> {
            AtomicRequestView view = atomicRequest(wire, 4, 0x11223346);
            assertThat(view.operationCode()).isEqualTo(1);
            assertOperands(view, 7, -1, 0, -1);
            assertThat(view.operation()).as("Swap is not in RFC 7306").isNull();
            assertThat(view.check()).isEqualTo(TerminateCode.UNEXPECTED_OPCODE);
            assertThat(view.check(true)).as("nor is RFC 7306 in the draft").isNull();
        });
    }

    private void terminates() {
        byte[] send = Ulpdus.untagged(Opcode.SEND, 9, HELLO);
        byte[] write =
                Framing.ulpdu(at -> Ulpdus.emitTagged(at, Opcode.RDMA_WRITE, 0xDEAD0001, 0x10, ascii("12345678")));
        byte[] read = Framing.ulpdu(at -> Ulpdus.emitReadRequest(at, 2, SINK, 0x1000, 4096, SOURCE, 0x2000));
        byte[] sendInvalidate =
                Framing.ulpdu(at -> Ulpdus.emitUntagged(at, true, Opcode.SEND_INVALIDATE, INVALIDATED, 2, 0, HELLO));
        byte[] atomic = Ulpdus.fetchAdd(2, 0x4001);
        byte[] immediate = Framing.ulpdu(at -> Ulpdus.emitImmediate(at, Opcode.IMMEDIATE, 6));
        terminate("T01", TerminateCode.UNTAGGED_NO_BUFFER, send, 18, 0);
        terminate("T02", TerminateCode.TAGGED_INVALID_STAG, write, 14, 0);
        terminate("T03", TerminateCode.BOUNDS, read, 18, ReadRequestView.BYTES);
        terminate("T04", TerminateCode.PROTECTION_CANNOT_INVALIDATE, sendInvalidate, 18, 0);
        terminate("T05", TerminateCode.STREAM_CATASTROPHIC, atomic, 18, 0);
        terminate("T06", TerminateCode.UNEXPECTED_OPCODE, immediate, 18, 0);
        terminate("T07", TerminateCode.RDMAP_LOCAL_CATASTROPHIC, false);
        terminate("T08", TerminateCode.MPA_CRC, false);
        terminate("T09", TerminateCode.MPA_NO_MATCHING_RTR, true);
        terminate("T10", TerminateCode.MPA_INSUFFICIENT_IRD, true);
        add(
                "T11",
                () -> Framing.fpdu(SiwLayout.of(Ulpdus.terminate(TerminateCode.UNTAGGED_NO_BUFFER, send, false), 5)),
                wire -> {
                    Octets header = Octets.copyOf(MemorySegment.ofArray(send), 0, 18);
                    Terminate terminate = decode(wire, false);
                    assertThat(terminate)
                            .isEqualTo(new Terminate(TerminateCode.UNTAGGED_NO_BUFFER, 5, header, Octets.EMPTY, true));
                    assertThat(terminate.ulpduLength()).isEqualTo(send.length);
                });
    }

    private void send(String id, boolean last, Opcode opcode, int stag, int msn, int mo, byte[] payload) {
        add(
                id,
                () -> Framing.fpdu(Framing.ulpdu(at -> Ulpdus.emitUntagged(at, last, opcode, stag, msn, mo, payload))),
                wire -> checkUntagged(Framing.open(wire, false, 0), last, opcode, stag, msn, mo, payload));
    }

    private void taggedCase(String id, Opcode opcode, int stag, long to, byte[] payload) {
        add(id, () -> Framing.fpdu(Framing.ulpdu(at -> Ulpdus.emitTagged(at, opcode, stag, to, payload))), wire -> {
            byte[] ulpdu = Framing.open(wire, false, 0);
            MemorySegment segment = MemorySegment.ofArray(ulpdu);
            TaggedView view = new TaggedView().wrap(segment, 0, ulpdu.length);
            assertThat(view.check()).isNull();
            assertThat(view.last()).isTrue();
            assertThat(view.opcode()).isEqualTo(opcode);
            assertThat(view.stag()).isEqualTo(stag);
            assertThat(view.to()).isEqualTo(to);
            assertThat(view.payloadLength()).isEqualTo(payload.length);
            assertThat(Octets.copyOf(segment, DdpHeader.TAGGED_BYTES, view.payloadLength()))
                    .isEqualTo(Octets.of(payload));
        });
    }

    private void readRequest(String id, int msn, int sink, long sinkTo, int size, int source, long sourceTo) {
        add(
                id,
                () -> Framing.fpdu(
                        Framing.ulpdu(at -> Ulpdus.emitReadRequest(at, msn, sink, sinkTo, size, source, sourceTo))),
                wire -> {
                    UntaggedView ddp = control(wire, Opcode.READ_REQUEST, msn);
                    assertThat(Opcode.READ_REQUEST.checkLength(ddp.payloadLength()))
                            .isNull();
                    ReadRequestView view = new ReadRequestView().wrap(afterDdp(wire), 0);
                    assertThat(view.sinkStag()).isEqualTo(sink);
                    assertThat(view.sinkTo()).isEqualTo(sinkTo);
                    assertThat(view.size()).isEqualTo(size);
                    assertThat(view.sourceStag()).isEqualTo(source);
                    assertThat(view.sourceTo()).isEqualTo(sourceTo);
                });
    }

    private void immediate(String id, Opcode opcode, int msn) {
        add(id, () -> Framing.fpdu(Framing.ulpdu(at -> Ulpdus.emitImmediate(at, opcode, msn))), wire -> {
            UntaggedView ddp = control(wire, opcode, msn);
            assertThat(Opcode.IMMEDIATE.checkLength(ddp.payloadLength())).isNull();
            assertThat(new ImmediateDataView().wrap(afterDdp(wire), 0).immediate())
                    .isEqualTo(Ulpdus.IMMEDIATE);
        });
    }

    private void atomicResponse(String id, int msn, int requestId, long original) {
        Framing.Emitter emitter = at -> {
            DdpHeader.emitUntagged(at, 0, true, Opcode.ATOMIC_RESPONSE, 0, msn, 0);
            AtomicResponseView.emit(at, DdpHeader.UNTAGGED_BYTES, requestId, original);
            return DdpHeader.UNTAGGED_BYTES + AtomicResponseView.BYTES;
        };
        add(id, () -> Framing.fpdu(Framing.ulpdu(emitter)), wire -> {
            UntaggedView ddp = control(wire, Opcode.ATOMIC_RESPONSE, msn);
            assertThat(ddp.qn()).isEqualTo(Opcode.QN_ATOMIC_RESPONSE);
            assertThat(Opcode.ATOMIC_RESPONSE.checkLength(ddp.payloadLength())).isNull();
            AtomicResponseView view = new AtomicResponseView().wrap(afterDdp(wire), 0);
            assertThat(view.requestId()).isEqualTo(requestId);
            assertThat(view.original()).isEqualTo(original);
        });
    }

    private void terminate(String id, TerminateCode code, boolean setup) {
        add(
                id,
                () -> Framing.fpdu(Framing.ulpdu(at -> {
                    DdpHeader.emitUntagged(at, 0, true, Opcode.TERMINATE, 0, 1, 0);
                    return DdpHeader.UNTAGGED_BYTES + TerminateHeader.emit(at, DdpHeader.UNTAGGED_BYTES, code);
                })),
                wire -> assertThat(decode(wire, setup))
                        .isEqualTo(new Terminate(code, Terminate.NO_LENGTH, Octets.EMPTY, Octets.EMPTY, false)));
    }

    private void terminate(String id, TerminateCode code, byte[] atFault, int ddpBytes, int rdmapBytes) {
        MemorySegment fault = MemorySegment.ofArray(atFault);
        Octets ddp = Octets.copyOf(fault, 0, ddpBytes);
        Octets rdmap = Octets.copyOf(fault, ddpBytes, rdmapBytes);
        add(id, () -> Framing.fpdu(Ulpdus.terminate(code, atFault, rdmapBytes > 0)), wire -> {
            Terminate terminate = decode(wire, false);
            assertThat(terminate).isEqualTo(new Terminate(code, atFault.length, ddp, rdmap, false));
            assertThat(terminate.ulpduLength()).isEqualTo(atFault.length);
        });
    }

    private static Terminate decode(byte[] wire, boolean setup) {
        UntaggedView ddp = control(wire, Opcode.TERMINATE, 1);
        return Terminate.decode(afterDdp(wire), 0, ddp.payloadLength(), setup);
    }

    private static AtomicRequestView atomicRequest(byte[] wire, int msn, int requestId) {
        UntaggedView ddp = control(wire, Opcode.ATOMIC_REQUEST, msn);
        assertThat(Opcode.ATOMIC_REQUEST.checkLength(ddp.payloadLength())).isNull();
        AtomicRequestView view = new AtomicRequestView().wrap(afterDdp(wire), 0);
        assertThat(view.requestId()).isEqualTo(requestId);
        assertThat(view.remoteStag()).isEqualTo(Ulpdus.TARGET);
        assertThat(view.remoteTo()).isEqualTo(0x4000);
        return view;
    }

    private static void assertOperands(AtomicRequestView view, long data, long mask, long compare, long compareMask) {
        assertThat(view.data()).isEqualTo(data);
        assertThat(view.mask()).isEqualTo(mask);
        assertThat(view.compare()).isEqualTo(compare);
        assertThat(view.compareMask()).isEqualTo(compareMask);
    }

    private static UntaggedView control(byte[] wire, Opcode opcode, int msn) {
        byte[] ulpdu = Framing.open(wire, false, 0);
        UntaggedView view = new UntaggedView().wrap(MemorySegment.ofArray(ulpdu), 0, ulpdu.length);
        assertThat(view.check()).isNull();
        assertThat(view.last()).isTrue();
        assertThat(view.opcode()).isEqualTo(opcode);
        assertThat(view.invalidateStag()).isZero();
        assertThat(view.msn()).isEqualTo(msn);
        assertThat(view.mo()).isZero();
        return view;
    }

    private static MemorySegment afterDdp(byte[] wire) {
        return MemorySegment.ofArray(wire).asSlice(Fpdu.LENGTH_BYTES + DdpHeader.UNTAGGED_BYTES);
    }

    private static void checkUntagged(
            byte[] ulpdu, boolean last, Opcode opcode, int stag, int msn, int mo, byte[] payload) {
        MemorySegment segment = MemorySegment.ofArray(ulpdu);
        UntaggedView view = new UntaggedView().wrap(segment, 0, ulpdu.length);
        assertThat(view.check()).isNull();
        assertThat(view.last()).isEqualTo(last);
        assertThat(view.opcode()).isEqualTo(opcode);
        assertThat(view.invalidateStag()).isEqualTo(stag);
        assertThat(view.qn()).isEqualTo(opcode.queue());
        assertThat(view.msn()).isEqualTo(msn);
        assertThat(view.mo()).isEqualTo(mo);
        assertThat(Octets.copyOf(segment, DdpHeader.UNTAGGED_BYTES, view.payloadLength()))
                .isEqualTo(Octets.of(payload));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
