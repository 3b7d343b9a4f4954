package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.cm.TerminateReason;
import org.panamaverbs.iwarp.wire.Framing;
import org.panamaverbs.iwarp.wire.TerminateCode;

/** Once a completion is lost the stream is over, also for what arrived together with the message. Found by fuzzing. */
class OverrunTest {
    private final RawPeer peer = new RawPeer(true);
    private final Guarded memory = peer.side.memory(64);

    @Test
    void nothingBehindALostReceiveCompletionCounts() {
        peer.side.receive(1, memory, 0, 8);
        peer.side.receives.capacity = 0;

        injectTogether(Segments.send(1), Segments.write(memory.stag(), memory.base, (byte) 7));

        assertOverrun();
    }

    @Test
    void nothingBehindALostReadCompletionCounts() {
        peer.side.read(1, memory, 8, 8, memory, 0);
        peer.settle();
        peer.side.sends.capacity = 0;

        injectTogether(
                Segments.readResponse(memory.stag(), memory.base + 8, true, new byte[8]),
                Segments.write(memory.stag(), memory.base, (byte) 7));

        assertOverrun();
    }

    @Test
    void nothingBehindALostAtomicCompletionCounts() {
        peer.side.fetchAdd(1, memory, 8, memory, 0, 1);
        peer.settle();
        peer.side.sends.capacity = 0;

        injectTogether(Segments.atomicResponse(1, 0, 0), Segments.write(memory.stag(), memory.base, (byte) 7));

        assertOverrun();
    }

    /** The peer may still send behind our FIN: what is lost of that is told by a reset, and is no end in order. */
    @Test
    void aLostReceiveCompletionBehindOurFinIsNoEndInOrder() {
        peer.side.receive(1, memory, 0, 8);
        peer.side.receives.capacity = 0;
        peer.side.stream.disconnect(peer.now);
        peer.settle();
        assertThat(peer.side.stream.state()).isEqualTo(StreamState.CLOSING);

        injectTogether(Segments.send(1), Segments.write(memory.stag(), memory.base, (byte) 7));

        assertOverrun();
        assertThat(peer.side.stream.state()).isEqualTo(StreamState.CLOSED);
        assertThat(peer.side.stream.endedInOrder()).isFalse();
    }

    private void injectTogether(byte[] first, byte[] second) {
        byte[] one = Framing.fpdu(first);
        byte[] other = Framing.fpdu(second);
        peer.injectOctets(ByteBuffer.allocate(one.length + other.length)
                .put(one)
                .put(other)
                .array());
    }

    private void assertOverrun() {
        assertThat(memory.bytes()[0]).isZero();
        Fault fault = Objects.requireNonNull(peer.side.stream.fault());
        assertThat(fault.code()).isEqualTo(TerminateCode.RDMAP_LOCAL_CATASTROPHIC);
        assertThat(fault.reason()).isEqualTo(TerminateReason.COMPLETION_QUEUE_OVERRUN);
    }
}
