package org.panamaverbs.iwarp.core;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.core.setup.MpaStartup;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.core.setup.StartupConfig;
import org.panamaverbs.iwarp.wire.MpaFrame;
import org.panamaverbs.iwarp.wire.TerminateCode;

/** One exchange of MPA frames: a configuration, what the peer sends, how this side answers, and what comes of it. */
public final class FuzzStartup {
    private static final int INITIATOR = 0x01;
    private static final int RAW = 0x02;
    private static final int REJECT = 0x04;
    private static final int MOST_IRD = 256;

    final MpaStartup startup;
    final StartupConfig config;
    final boolean initiator;
    private byte[] sent = {};
    private int taken;

    private byte[] offered = {};
    private StartupConfig answer;
    private byte @Nullable [] rejection;
    private MpaStartup.State state = MpaStartup.State.IN_PROGRESS;
    private final StringBuilder states = new StringBuilder();

    private FuzzStartup(boolean initiator, StartupConfig config) {
        this.initiator = initiator;
        this.config = config;
        answer = config;
        startup = initiator ? MpaStartup.initiator(config) : MpaStartup.responder(config);
    }

    /** Plays the exchange that the data describe, the peer's octets at once. */
    public static FuzzStartup of(FuzzInput in) {
        return of(in, Splitter.WHOLE);
    }

    /** Plays the exchange that the data describe. */
    static FuzzStartup of(FuzzInput in, Splitter splitter) {
        int how = in.octet();
        FuzzStartup exchange = new FuzzStartup((how & INITIATOR) != 0, config(in));
        exchange.drain();
        exchange.feed((how & RAW) != 0 ? in.take(in.u16() % 600) : frame(in, exchange.initiator), splitter);
        if (exchange.state == MpaStartup.State.IN_PROGRESS) {
            exchange.startup.endOfStream();
            exchange.watch();
        } else if (exchange.state == MpaStartup.State.REQUEST_READY) {
            exchange.answer(in, (how & REJECT) != 0);
        }
        exchange.drain();
        return exchange;
    }

    private static StartupConfig config(FuzzInput in) {
        int flags = in.octet();
        int ird = in.below(MOST_IRD);
        int ord = in.below(MOST_IRD);
        int more = in.octet();
        // One ready-to-receive message at least is known: so do the options of the engine say.
        boolean send = (flags & 0x08) != 0;
        boolean write = (flags & 0x10) != 0;
        boolean read = (flags & 0x20) != 0 || !(send || write);
        return StartupConfig.builder()
                .crc((flags & 0x01) != 0)
                .markers((flags & 0x02) != 0)
                .revision((flags & 0x40) != 0 ? 1 : 2)
                .peerToPeer((flags & 0x04) != 0 && (flags & 0x40) == 0)
                .ird(ird)
                .ord(ord)
                .maxIrd(ird + (more & 0x3F))
                .rtrWrite(write)
                .rtrRead(read)
                .rtrSend(send)
                .privateData(new byte[more >>> 6 == 3 ? 508 : more >>> 6])
                .build();
    }

    /** A frame that is right unless the data want another flag, revision, length or block. */
    private static byte[] frame(FuzzInput in, boolean reply) {
        int flags = in.octet();
        int wild = in.octet();
        boolean enhanced = (flags & 0x10) != 0;
        int block = enhanced ? in.int32() : 0;
        byte[] data = new byte[in.length()];
        Arrays.fill(data, (byte) flags);
        int length = data.length + (enhanced ? 4 : 0);
        ByteBuffer octets = ByteBuffer.allocate(20 + length);
        octets.put((reply ^ (wild & 0x01) != 0 ? "MPA ID Rep Frame" : "MPA ID Req Frame")
                .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        octets.put((byte) ((wild & 0x02) != 0 ? flags : flags & 0xD0));
        octets.put((byte) ((wild & 0x04) != 0 ? in.octet() : enhanced ? 2 : 1 + (wild >>> 7)));
        octets.putShort((short) ((wild & 0x08) != 0 ? in.u16() : length));
        if (enhanced) {
            octets.putInt((wild & 0x10) != 0 ? block : block & 0xC0FF_C0FF);
        }
        byte[] frame = octets.put(data).array();
        if ((wild & 0x20) != 0) {
            frame[in.octet() % frame.length] ^= (byte) in.octet();
        }
        return (wild & 0x40) != 0 ? Arrays.copyOf(frame, Math.min(frame.length, in.u16() % 600)) : frame;
    }

    private void feed(byte[] octets, Splitter splitter) {
        offered = octets;
        while (taken < octets.length) {
            ByteBuffer into = startup.receiveBuffer();
            if (into.remaining() > MpaFrame.MAX_BYTES) {
                throw new AssertionError(into.remaining() + " octets are wanted");
            }
            int count = (int) Math.min(Math.min(into.remaining(), octets.length - taken), splitter.next(taken));
            if (count == 0) {
                break;
            }
            into.put(octets, taken, count);
            taken += count;
            startup.received();
            watch();
        }
    }

    private void answer(FuzzInput in, boolean reject) {
        byte[] data = new byte[Math.min(in.length(), startup.maxPrivateData())];
        if (reject) {
            rejection = data;
            startup.reject(data);
        } else {
            StartupConfig own = config;
            answer = StartupConfig.builder()
                    .crc(own.crc())
                    .markers(own.markers())
                    .revision(own.revision())
                    .peerToPeer(own.peerToPeer())
                    .ird(own.ird())
                    .ord(own.ord())
                    .maxIrd(own.maxIrd())
                    .rtrWrite(own.rtrWrite())
                    .rtrRead(own.rtrRead())
                    .rtrSend(own.rtrSend())
                    .privateData(data)
                    .build();
            startup.accept(answer);
        }
        watch();
    }

    private void watch() {
        MpaStartup.State after = startup.state();
        if (after != state) {
            boolean forward = state == MpaStartup.State.IN_PROGRESS
                    || (state == MpaStartup.State.REQUEST_READY && after != MpaStartup.State.IN_PROGRESS);
            if (!forward) {
                throw new AssertionError("went back from " + state + " to " + after);
            }
            state = after;
            states.append(after).append(' ');
        }
    }

    private void drain() {
        ByteBuffer out = startup.transmitBuffer();
        byte[] more = new byte[out.remaining()];
        out.get(more);
        int from = sent.length;
        sent = Arrays.copyOf(sent, from + more.length);
        System.arraycopy(more, 0, sent, from, more.length);
    }

    /** Whether this side asked. */
    public boolean isInitiator() {
        return initiator;
    }

    /** What this side wants. */
    public StartupConfig config() {
        return config;
    }

    /** What this side accepts with, if it is asked and does. */
    public StartupConfig answer() {
        return answer;
    }

    /** What this side rejects with, null if it does not. */
    public byte @Nullable [] rejection() {
        return rejection == null ? null : rejection.clone();
    }

    /** The exchange itself, as it ended. */
    public MpaStartup startup() {
        return startup;
    }

    /** What was agreed, null if the exchange failed. */
    public @Nullable Negotiated negotiated() {
        return state == MpaStartup.State.DONE ? startup.negotiated() : null;
    }

    /** What the stream has to begin with, null if it can work. */
    @Nullable
    Fault startFault() {
        TerminateCode code = startup.startFault();
        return code == null ? null : Fault.local(code, "");
    }

    /** What this side sent. */
    public byte[] sent() {
        return sent.clone();
    }

    /** What the peer sent, perhaps more than its frame. */
    public byte[] offered() {
        return offered.clone();
    }

    /** How many octets of the peer this side took. */
    public int taken() {
        return taken;
    }

    /** How far it got. */
    public MpaStartup.State state() {
        return state;
    }

    /** All that can be seen of the exchange. */
    String outcome() {
        MpaStartup.Failure failure = startup.failure();
        // How much of a bad frame was looked at, and so what its text shows, depends on how it came.
        String reason = failure == null ? "" : failure.reason().toString();
        return states + reason + " " + negotiated() + " " + startup.startFault() + " "
                + java.util.HexFormat.of().formatHex(sent);
    }

    /** What the corpus is measured by. */
    public Set<String> reached() {
        Set<String> reached = new TreeSet<>();
        String side = initiator ? "initiator " : "responder ";
        reached.add(side + state);
        MpaStartup.Failure failure = startup.failure();
        if (failure != null) {
            reached.add(side + failure.reason());
        }
        Negotiated agreed = negotiated();
        if (agreed != null) {
            reached.add(side + "rev " + agreed.revision() + " " + agreed.rtr());
            reached.add(side + (agreed.crc() ? "CRC" : "no CRC"));
        }
        TerminateCode code = startup.startFault();
        if (code != null) {
            reached.add(side + code.toString().substring(0, 6));
        }
        return reached;
    }
}
