package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.panamaverbs.iwarp.core.memory.StagTable;
import org.panamaverbs.iwarp.core.setup.MpaStartup;
import org.panamaverbs.iwarp.core.setup.StartupConfig;
import org.panamaverbs.iwarp.wire.Pcap.Connection;
import org.panamaverbs.iwarp.wire.Pcap.Direction;

/** Plays captures of an independent implementation to set-up and stream. */
abstract class CaptureReplay {
    static final byte[] HELLO = "hello".getBytes(StandardCharsets.US_ASCII);
    static final int WRITE_STAG = 0x12345678;
    static final long WRITE_TO = 0x1122334455667788L;
    static final int SOURCE_STAG = 0x55667702;
    static final int SINK_STAG = 0xAABBCC01;
    static final int WINDOW_STAG = 0xCAFE0100;

    /** STags that come up next, then random ones. */
    final Deque<Integer> script = new ArrayDeque<>();

    final SplittableRandom random = new SplittableRandom(1);
    /** Their other side gives out an STag again at once. */
    final StagTable stags = new StagTable(64, () -> script.isEmpty() ? random.nextInt() : script.remove(), 0);

    /** The side that the capture is played to, with its own frame of the exchange behind it. */
    Side played(Connection connection, Direction from) {
        byte[] theirs = connection.stream(from);
        byte[] ours = connection.stream(
                from == Direction.FROM_INITIATOR ? Direction.FROM_RESPONDER : Direction.FROM_INITIATOR);
        MpaStartup startup;
        if (from == Direction.FROM_INITIATOR) {
            StartupConfig config = configLike(ours);
            startup = MpaStartup.responder(config);
            feed(startup, theirs);
            assertThat(startup.state()).isEqualTo(MpaStartup.State.REQUEST_READY);
            startup.accept(config);
            drain(startup);
        } else {
            startup = MpaStartup.initiator(configLike(ours));
            byte[] request = drain(startup);
            assertThat(request).isEqualTo(Arrays.copyOf(ours, request.length));
            feed(startup, theirs);
        }
        assertThat(startup.failure()).isNull();
        assertThat(startup.state()).isEqualTo(MpaStartup.State.DONE);
        Side side = new Side(0x77, new Pipe(), new Pipe(), stags);
        side.stream.start(startup.negotiated().withEmss(Pair.EMSS), 0);
        return side;
    }

    /** What made the other side's frame, for us to make the same. */
    static StartupConfig configLike(byte[] frame) {
        int flags = frame[16];
        int revision = frame[17];
        int block = revision == 2 ? ByteBuffer.wrap(frame).getInt(20) : 0;
        int dataFrom = revision == 2 ? 24 : 20;
        int dataTo = 20 + (frame[18] << 8 | frame[19]);
        return StartupConfig.builder()
                .crc((flags & 0x40) != 0)
                .markers((flags & 0x80) != 0)
                .revision(revision)
                .peerToPeer((block & 1 << 31) != 0)
                .ird(revision == 2 ? block >>> 16 & 0x3FFF : 16)
                .ord(revision == 2 ? block & 0x3FFF : 16)
                .maxIrd(16)
                .rtrWrite(true)
                .rtrRead(true)
                .privateData(Arrays.copyOfRange(frame, dataFrom, dataTo))
                .build();
    }

    static void feed(MpaStartup startup, byte[] octets) {
        int from = 0;
        for (ByteBuffer into = startup.receiveBuffer(); into.hasRemaining(); into = startup.receiveBuffer()) {
            int count = into.remaining();
            into.put(octets, from, count);
            from += count;
            startup.received();
        }
        assertThat(from).isEqualTo(20 + (((octets[18] & 0xFF) << 8) | (octets[19] & 0xFF)));
    }

    static byte[] drain(MpaStartup startup) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (ByteBuffer buffer = startup.transmitBuffer(); buffer.hasRemaining(); buffer = startup.transmitBuffer()) {
            all.write(buffer.get());
        }
        return all.toByteArray();
    }

    /** The octets behind the sender's frame, cut as TCP cut them. */
    static List<byte[]> packets(Connection connection, Direction from) {
        byte[] stream = connection.stream(from);
        int frame = 20 + (((stream[18] & 0xFF) << 8) | (stream[19] & 0xFF));
        int[] position = {0};
        return connection.data().stream()
                .filter(segment -> segment.direction() == from)
                .map(segment -> segment.payload().toByteArray())
                .map(octets -> {
                    int skip = Math.clamp(frame - position[0], 0, octets.length);
                    position[0] += octets.length;
                    return Arrays.copyOfRange(octets, skip, octets.length);
                })
                .filter(octets -> octets.length > 0)
                .toList();
    }

    static void play(Side side, byte[] octets) {
        side.in.write(octets);
        side.settle(0);
    }

    Guarded fixed(Side side, int stag, int bytes, long base, int access) {
        script.add(stag);
        Guarded memory = side.memory(bytes, base, access);
        assertThat(memory.stag()).isEqualTo(stag);
        return memory;
    }

    static void play(Side side) {
        play(side, new byte[0]);
    }
}
