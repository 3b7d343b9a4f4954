package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.iwarp.net.Clamped;
import org.panamaverbs.iwarp.net.SystemSockets;
import org.panamaverbs.iwarp.wire.Fpdu;
import org.panamaverbs.iwarp.wire.Samples;
import org.panamaverbs.testkit.Requirement;

/** FPDUs are cut for the segments that TCP sends on the connection, whatever the interface would take. */
@Timeout(60)
class SegmentSizeTest {
    private static final int REPLY_HEADER = 20;
    private static final int CLAMPED = 536;
    // Without the timestamps that are in each segment.
    private static final int SEGMENT = CLAMPED - 12;
    private static final int MESSAGE = 60_000;
    private static final int UNTAGGED_HEADER = 18;

    @Test
    @Requirement("MPA-5.1-01")
    void peerWithSmallSegmentsGetsFpdusThatFitIntoThem() throws Exception {
        assertThat(fpdus(CLAMPED)).allSatisfy(bytes -> assertThat(bytes).isLessThanOrEqualTo(SEGMENT));
    }

    /** On the loopback interface TCP reports half of a window as the connection begins. */
    @Test
    void halfOfTheFirstWindowIsNoSegment() throws Exception {
        NetworkInterface loopback = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
        assumeTrue(loopback.getMTU() > 2 * Short.MAX_VALUE, "its packets are shorter than on Linux");

        assertThat(fpdus(0)).hasSize(1);
    }

    /** Returns the FPDUs, in bytes, of a message that a peer gets that takes segments of {@code most}; 0 for any. */
    private static List<Integer> fpdus(int most) throws Exception {
        assumeTrue(SystemSockets.best().name().equals("libc"), "the C library cannot be called here");
        try (Peer server = new Peer("sockets=libc", "crc=off", "first.fpdu.timeout=1ms");
                Listener listener = server.verbs.listen(Raw.ANY_PORT);
                Clamped adapter = Clamped.connect(listener.localAddress(), most)) {
            adapter.write(Samples.bytes("M06"));
            Connection connection =
                    listener.accept(Peer.soon()).accept(server.config(), ConnectionConfig.defaults(), Peer.soon());
            server.connected(connection);
            ByteBuffer reply = adapter.read(REPLY_HEADER);
            adapter.read(Short.toUnsignedInt(reply.getShort(REPLY_HEADER - Short.BYTES)));
            PostStatus.check(connection.queuePair().send(1, server.buffer, 0, MESSAGE, SendFlag.SIGNALED));

            List<Integer> fpdus = new ArrayList<>();
            int payload = 0;
            while (payload < MESSAGE) {
                int length = Short.toUnsignedInt(adapter.read(Fpdu.LENGTH_BYTES).getShort());
                fpdus.add(Fpdu.size(length));
                adapter.read(Fpdu.size(length) - Fpdu.LENGTH_BYTES);
                payload += length - UNTAGGED_HEADER;
            }
            assertThat(payload).isEqualTo(MESSAGE);
            return fpdus;
        }
    }
}
