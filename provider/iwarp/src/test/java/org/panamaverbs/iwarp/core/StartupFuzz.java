package org.panamaverbs.iwarp.core;

import static org.panamaverbs.iwarp.core.setup.MpaStartup.State.DONE;
import static org.panamaverbs.iwarp.core.setup.MpaStartup.State.FAILED;
import static org.panamaverbs.iwarp.core.setup.MpaStartup.State.REJECTED;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.core.setup.MpaStartup;
import org.panamaverbs.iwarp.core.setup.MpaStartup.FailureReason;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.core.setup.Rtr;
import org.panamaverbs.iwarp.core.setup.StartupConfig;
import org.panamaverbs.iwarp.wire.EnhancedBlock;
import org.panamaverbs.iwarp.wire.MpaFrame;
import org.panamaverbs.iwarp.wire.TerminateCode;

/**
 * Fuzz target: the MPA Request and Reply, of either role, standard and enhanced. What comes of a frame is held against
 * a second reading of it by the tables of RFC 5044 §7.1 and RFC 6581 §6 and §9; what is answered must be a frame that
 * fits the request.
 */
public final class StartupFuzz {
    private static final int OPEN = 0x3FFF;
    private static final int HEADER = 20;

    private StartupFuzz() {}

    /** Entry point of the fuzzer. */
    public static void fuzzerTestOneInput(byte[] data) {
        run(data);
    }

    /** Plays one case and answers what it reached. */
    static List<String> run(byte[] data) {
        FuzzStartup whole = FuzzStartup.of(new FuzzInput(data), Splitter.WHOLE);
        SplittableRandom random = new SplittableRandom(Arrays.hashCode(data));
        for (Splitter splitter : new Splitter[] {Splitter.ONE, Splitter.random(random, 40)}) {
            FuzzStartup other = FuzzStartup.of(new FuzzInput(data), splitter);
            expect(whole.outcome().equals(other.outcome()), "another split gives " + other.outcome(), whole);
        }
        judge(whole);
        return new ArrayList<>(whole.reached());
    }

    private static void expect(boolean holds, String what, FuzzStartup exchange) {
        if (!holds) {
            throw new AssertionError(what + "\n" + exchange.config + "\n" + exchange.outcome());
        }
    }

    private static void judge(FuzzStartup exchange) {
        byte[] octets = exchange.offered();
        FailureReason reason = failure(exchange, octets);
        MpaStartup.Failure failure = exchange.startup.failure();
        if (reason != null) {
            expect(exchange.state() == FAILED, "should fail with " + reason, exchange);
            expect(failure != null && failure.reason() == reason, "failed with " + failure, exchange);
            expect(exchange.initiator || exchange.sent().length == 0, "answers a frame that failed", exchange);
            return;
        }
        ByteBuffer frame = ByteBuffer.wrap(octets);
        int length = frame.getShort(18) & 0xFFFF;
        expect(exchange.taken() == HEADER + length, "took " + exchange.taken() + " octets", exchange);
        expect(failure == null, "failed with " + failure, exchange);
        boolean enhanced = octets[17] == 2 && (octets[16] & 0x10) != 0;
        int peerData = length - (enhanced ? 4 : 0);
        expect(exchange.startup.peerPrivateData().length == peerData, "private data is cut", exchange);
        MpaFrame sent = parseSent(exchange);
        if (exchange.state() == REJECTED) {
            expect(exchange.initiator ? (octets[16] & 0x20) != 0 : sent.reject(), "nobody rejected", exchange);
            return;
        }
        expect(exchange.state() == DONE, "should be done", exchange);
        if (exchange.initiator) {
            judgeInitiator(exchange, octets, enhanced ? frame.getInt(HEADER) : 0, enhanced);
        } else {
            judgeResponder(exchange, sent, octets, enhanced ? frame.getInt(HEADER) : 0);
        }
    }

    /** Reads the frame once more: why it cannot be used, null if it can. */
    private static @Nullable FailureReason failure(FuzzStartup exchange, byte[] octets) {
        byte[] expected =
                (exchange.initiator ? "MPA ID Rep Frame" : "MPA ID Req Frame").getBytes(StandardCharsets.US_ASCII);
        byte[] other =
                (exchange.initiator ? "MPA ID Req Frame" : "MPA ID Rep Frame").getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < Math.min(octets.length, expected.length); i++) {
            if (octets[i] != expected[i]) {
                return octets[i] == other[i] ? FailureReason.MALFORMED : FailureReason.STRANGER;
            }
        }
        if (octets.length < HEADER) {
            return FailureReason.CLOSED;
        }
        int revision = octets[17] & 0xFF;
        int length = ByteBuffer.wrap(octets).getShort(18) & 0xFFFF;
        if (revision > 2) {
            return FailureReason.REVISION;
        }
        boolean shortBlock = revision == 2 && (octets[16] & 0x10) != 0 && length < 4;
        if (length > 512 || shortBlock) {
            return FailureReason.MALFORMED;
        }
        if (octets.length < HEADER + length) {
            return FailureReason.CLOSED;
        }
        return revision == 0 || revision > exchange.config.revision() ? FailureReason.REVISION : null;
    }

    private static MpaFrame parseSent(FuzzStartup exchange) {
        byte[] sent = exchange.sent();
        MpaFrame.Parsed parsed = MpaFrame.parse(MemorySegment.ofArray(sent), 0, sent.length, !exchange.initiator);
        boolean whole = parsed instanceof MpaFrame.Frame frame && frame.bytes() == sent.length;
        expect(whole, "sent something else than one frame: " + parsed, exchange);
        expect((sent[16] & 0x0F) == 0, "reserved bits are sent", exchange);
        return ((MpaFrame.Frame) parsed).frame();
    }

    // RFC 5044 §7.1: CRC if either side wants it; markers as the receiver of them wants it.
    private static void judgeBoth(FuzzStartup exchange, Negotiated agreed, byte[] peer) {
        boolean crc = exchange.config.crc() || (peer[16] & 0x40) != 0;
        expect(agreed.crc() == crc, "CRC", exchange);
        expect(agreed.markersIn() == exchange.config.markers(), "markers in", exchange);
        expect(agreed.markersOut() == ((peer[16] & 0x80) != 0), "markers out", exchange);
        expect(agreed.revision() == peer[17], "revision", exchange);
        expect(agreed.initiator() == exchange.initiator, "role", exchange);
    }

    // RFC 6581 §9.1, §9.2.
    private static void judgeInitiator(FuzzStartup exchange, byte[] reply, int block, boolean enhanced) {
        Negotiated agreed = Objects.requireNonNull(exchange.negotiated());
        judgeBoth(exchange, agreed, reply);
        StartupConfig own = exchange.config;
        int theirIrd = block >>> 16 & OPEN;
        int theirOrd = block & OPEN;
        int ord = !enhanced || theirIrd == OPEN ? own.ord() : Math.min(own.ord(), theirIrd);
        expect(agreed.ord() == ord, "ORD should be " + ord, exchange);
        boolean tooMany = enhanced && theirOrd != OPEN && theirOrd > Math.max(own.ird(), own.maxIrd());
        boolean ready = enhanced && own.peerToPeer();
        Rtr common = ready && block < 0 ? common(block, own) : Rtr.NONE;
        TerminateCode fault = tooMany
                ? TerminateCode.MPA_INSUFFICIENT_IRD
                : ready && common == Rtr.NONE ? TerminateCode.MPA_NO_MATCHING_RTR : null;
        expect(Objects.equals(fault, exchange.startup.startFault()), "should begin with " + fault, exchange);
        if (fault == null) {
            expect(agreed.rtr() == common, "RTR should be " + common, exchange);
            int least = enhanced && theirOrd != OPEN ? theirOrd : 0;
            expect(agreed.ird() >= least, "IRD is too small", exchange);
        }
    }

    private static Rtr common(int block, StartupConfig own) {
        if ((block & 1 << 15) != 0 && own.rtrWrite()) {
            return Rtr.WRITE;
        }
        if ((block & 1 << 14) != 0 && own.rtrRead()) {
            return Rtr.READ;
        }
        return (block & 1 << 30) != 0 && own.rtrSend() ? Rtr.SEND : Rtr.NONE;
    }

    private static void judgeResponder(FuzzStartup exchange, MpaFrame reply, byte[] request, int asked) {
        Negotiated agreed = Objects.requireNonNull(exchange.negotiated());
        judgeBoth(exchange, agreed, request);
        boolean enhanced = request[17] == 2 && (request[16] & 0x10) != 0;
        expect(!reply.reject() && reply.revision() == request[17], "reply of another kind", exchange);
        expect(reply.crc() == agreed.crc() && reply.markers() == agreed.markersIn(), "reply says other", exchange);
        EnhancedBlock block = reply.block();
        expect((block != null) == enhanced, "a block answers a block", exchange);
        if (block == null) {
            expect(agreed.rtr() == Rtr.NONE, "RTR without a block", exchange);
            return;
        }
        int theirIrd = asked >>> 16 & OPEN;
        int theirOrd = asked & OPEN;
        boolean ordFits =
                theirIrd == OPEN ? block.ord() == OPEN : block.ord() <= theirIrd && agreed.ord() == block.ord();
        expect(ordFits, "ORD beyond the initiator's IRD", exchange);
        int least = Math.min(theirOrd, exchange.config.maxIrd());
        boolean irdFits = theirOrd == OPEN ? block.ird() == OPEN : block.ird() >= least && agreed.ird() == block.ird();
        expect(irdFits, "IRD below the initiator's ORD", exchange);
        int options = (block.rtrSend() ? 1 : 0) + (block.rtrWrite() ? 1 : 0) + (block.rtrRead() ? 1 : 0);
        boolean wanted = asked < 0;
        expect(block.peerToPeer() == wanted && options == (wanted ? 1 : 0), "ready-to-receive options", exchange);
        Rtr common = wanted ? common(asked, exchange.config) : Rtr.NONE;
        expect(common == Rtr.NONE || agreed.rtr() == common, "RTR should be " + common, exchange);
        expect(agreed.rtr() != Rtr.READ || agreed.ird() > 0, "no room for the Read that opens", exchange);
    }
}
