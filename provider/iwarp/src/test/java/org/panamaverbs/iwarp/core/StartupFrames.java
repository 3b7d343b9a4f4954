package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.panamaverbs.iwarp.core.setup.MpaStartup;
import org.panamaverbs.iwarp.core.setup.MpaStartup.State;
import org.panamaverbs.iwarp.core.setup.StartupConfig;

/** Frames of the set-up exchange, and the machines that get them. */
final class StartupFrames {
    static final int A = 1 << 31;
    static final int B = 1 << 30;
    static final int C = 1 << 15;
    static final int D = 1 << 14;
    static final int M_FLAG = 0x80;
    static final int C_FLAG = 0x40;
    static final int R_FLAG = 0x20;
    static final int S_FLAG = 0x10;
    static final int OPEN = 0x3FFF;

    static StartupConfig config(int revision, boolean peerToPeer, int ird, int ord, String data) {
        return StartupConfig.builder()
                .crc(true)
                .revision(revision)
                .peerToPeer(peerToPeer)
                .ird(ird)
                .ord(ord)
                .maxIrd(ird)
                .rtrWrite(true)
                .rtrRead(true)
                .privateData(data.getBytes(StandardCharsets.US_ASCII))
                .build();
    }

    static byte[] drain(MpaStartup startup) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (ByteBuffer buffer = startup.transmitBuffer(); buffer.hasRemaining(); buffer = startup.transmitBuffer()) {
            all.write(buffer.get());
        }
        return all.toByteArray();
    }

    /** Offers octets, {@code most} at a time, and returns how many were taken. */
    static int feed(MpaStartup startup, byte[] octets, int most) {
        int from = 0;
        while (from < octets.length) {
            ByteBuffer into = startup.receiveBuffer();
            int count = Math.min(Math.min(most, into.remaining()), octets.length - from);
            if (count == 0) {
                break;
            }
            into.put(octets, from, count);
            from += count;
            startup.received();
        }
        return from;
    }

    static int feed(MpaStartup startup, byte... octets) {
        return feed(startup, octets, Integer.MAX_VALUE);
    }

    static byte[] frame(boolean reply, int flags, int revision, byte... privateData) {
        return ByteBuffer.allocate(20 + privateData.length)
                .put((reply ? "MPA ID Rep Frame" : "MPA ID Req Frame").getBytes(StandardCharsets.US_ASCII))
                .put((byte) flags)
                .put((byte) revision)
                .putShort((short) privateData.length)
                .put(privateData)
                .array();
    }

    static byte[] enhanced(boolean reply, int block) {
        return frame(
                reply, C_FLAG | S_FLAG, 2, ByteBuffer.allocate(4).putInt(block).array());
    }

    static int block(byte[] frame) {
        return ByteBuffer.wrap(frame).getInt(20);
    }

    static MpaStartup responderGot(StartupConfig config, byte... request) {
        MpaStartup responder = MpaStartup.responder(config);
        feed(responder, request);
        return responder;
    }

    static byte[] replyTo(StartupConfig config, byte... request) {
        MpaStartup responder = responderGot(config, request);
        assertThat(responder.state()).isEqualTo(State.REQUEST_READY);
        responder.accept(config);
        return drain(responder);
    }

    static MpaStartup initiatorGot(StartupConfig config, byte... reply) {
        MpaStartup initiator = MpaStartup.initiator(config);
        drain(initiator);
        feed(initiator, reply);
        return initiator;
    }

    private StartupFrames() {}
}
