package org.panamaverbs.iwarp.core.setup;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.wire.EnhancedBlock;
import org.panamaverbs.iwarp.wire.MpaFrame;
import org.panamaverbs.iwarp.wire.Octets;
import org.panamaverbs.iwarp.wire.TerminateCode;

/**
 * The exchange of MPA Request and Reply that begins a connection (RFC 5044 §7.1, RFC 6581). It never takes an octet
 * beyond its frame: what follows belongs to the {@code Stream}.
 */
public final class MpaStartup {
    /** How far the exchange is. */
    public enum State {
        /** Frames are on their way. */
        IN_PROGRESS,
        /** Responder: the request is here and waits for {@link #accept} or {@link #reject}. */
        REQUEST_READY,
        /** Agreed; full operation begins once {@link #transmitBuffer()} is empty. */
        DONE,
        /** Initiator: the peer rejected. Responder: this side did. */
        REJECTED,
        /** The peer broke the protocol or left; close the connection. */
        FAILED
    }

    /** Why the exchange failed. */
    public enum FailureReason {
        /** The peer closed or reset the connection. */
        CLOSED,
        /** What came is no MPA frame: the peer speaks another protocol. */
        STRANGER,
        /** The frame is not what RFC 5044 and RFC 6581 say. */
        MALFORMED,
        /** The peer speaks another MPA revision. */
        REVISION
    }

    /**
     * A failure.
     *
     * @param reason its kind
     * @param text what was seen
     */
    public record Failure(FailureReason reason, String text) {}

    private final boolean initiator;
    private final byte[] frame = new byte[MpaFrame.MAX_BYTES];
    private final MemorySegment frameSegment = MemorySegment.ofArray(frame);
    private final ByteBuffer in = ByteBuffer.wrap(frame);
    // This side's frame, from when it is built; empty before.
    private ByteBuffer out = ByteBuffer.allocate(0);
    // The responder's is given with its answer, in place of the one that it waited with.
    private StartupConfig config;
    private State state = State.IN_PROGRESS;
    // Whether the key of the reply is in what is to be sent, or was sent, before the rest.
    private boolean replyBegun;
    // Whether what came begins with the key of the frame that is due.
    private boolean keyReceived;
    // The peer's frame once it is here and well formed.
    private @Nullable MpaFrame peer;
    // How it ended: agreed, perhaps with a fault for the stream to begin with, or failed.
    private @Nullable Negotiated negotiated;
    private @Nullable TerminateCode startFault;
    private @Nullable Failure failure;

    private MpaStartup(boolean initiator, StartupConfig config) {
        this.initiator = initiator;
        this.config = config;
        in.limit(MpaFrame.HEADER_BYTES);
    }

    /** Begins the exchange as the side that asks: the request is in {@link #transmitBuffer()}. */
    public static MpaStartup initiator(StartupConfig config) {
        MpaStartup startup = new MpaStartup(true, config);
        EnhancedBlock block = null;
        if (config.revision() == MpaFrame.REVISION_ENHANCED) {
            boolean ready = config.peerToPeer();
            int ord = ready && config.rtrRead() ? Math.max(1, config.ord()) : config.ord();
            // RFC 6581 §9.2: without A, the options B, C and D are 0.
            block = new EnhancedBlock(
                    ready,
                    ready && config.rtrSend(),
                    ready && config.rtrWrite(),
                    ready && config.rtrRead(),
                    config.ird(),
                    ord);
        }
        startup.send(new MpaFrame(
                false,
                config.markers(),
                config.crc(),
                false,
                config.revision(),
                block,
                Octets.of(config.privateData())));
        return startup;
    }

    /** Begins the exchange as the side that is asked. */
    public static MpaStartup responder(StartupConfig config) {
        return new MpaStartup(false, config);
    }

    private void send(MpaFrame toSend) {
        int begun = replyBegun ? MpaFrame.KEY_BYTES - out.remaining() : 0;
        out = ByteBuffer.wrap(toSend.encode()).position(begun);
    }

    /**
     * Begins the reply, as the responder: its key is in {@link #transmitBuffer()}, whatever the answer will be. The
     * initiator learns by it that its request was understood.
     */
    public void beginReply() {
        requireRequest();
        if (!replyBegun) {
            replyBegun = true;
            out = ByteBuffer.wrap(MpaFrame.replyKey());
        }
    }

    /** Tells whether the peer has sent the key of the frame that is due, the first octets of it. */
    public boolean isKeyReceived() {
        return keyReceived;
    }

    /** Returns how far the exchange is. */
    public State state() {
        return state;
    }

    /** Returns what is to be written, in one piece where possible; empty if there is nothing. */
    public ByteBuffer transmitBuffer() {
        return out;
    }

    /** Returns where the next octets must land, just as many as are wanted; empty if none are wanted now. */
    public ByteBuffer receiveBuffer() {
        if (state != State.IN_PROGRESS || (initiator && out.hasRemaining())) {
            return ByteBuffer.allocate(0);
        }
        return in;
    }

    /** Looks at the octets that were stored in {@link #receiveBuffer()}. */
    public void received() {
        if (state != State.IN_PROGRESS) {
            return;
        }
        MpaFrame.Parsed parsed = MpaFrame.parse(frameSegment, 0, in.position(), initiator);
        keyReceived = in.position() >= MpaFrame.KEY_BYTES && !MpaFrame.isWrongKey(parsed);
        // No switch over types: the first one of a process costs it milliseconds.
        if (parsed instanceof MpaFrame.NeedMore more) {
            in.limit(in.position() + more.bytes());
        } else if (parsed instanceof MpaFrame.Frame complete) {
            onFrame(complete.frame());
        } else if (parsed instanceof MpaFrame.Malformed malformed) {
            fail(reason(malformed.defect()), malformed.reason());
        }
    }

    private static FailureReason reason(MpaFrame.Defect defect) {
        return switch (defect) {
            case KEY -> FailureReason.STRANGER;
            case REVISION -> FailureReason.REVISION;
            case ROLE, PRIVATE_DATA_LENGTH, ENHANCED_BLOCK -> FailureReason.MALFORMED;
        };
    }

    /** Tells whether this side asks for the enhanced set-up (RFC 6581), or takes it. */
    public boolean isEnhanced() {
        return config.revision() == MpaFrame.REVISION_ENHANCED;
    }

    /** Returns how many octets of the peer's frame are here. */
    public int bytesReceived() {
        return in.position();
    }

    /** Hears that the peer closed. */
    public void endOfStream() {
        if (state == State.IN_PROGRESS || state == State.REQUEST_READY) {
            fail(
                    FailureReason.CLOSED,
                    "the peer closed the connection after " + in.position() + " bytes of its MPA "
                            + (initiator ? "Reply" : "Request"));
        }
    }

    private void fail(FailureReason reason, String text) {
        failure = new Failure(reason, text);
        state = State.FAILED;
    }

    private void onFrame(MpaFrame arrived) {
        peer = arrived;
        if (arrived.revision() == MpaFrame.REVISION_RDMAC) {
            // RFC 5044 appendix C.2: a stack that does not speak the RDMA Consortium's version closes.
            fail(FailureReason.REVISION, "the peer speaks MPA revision 0 (RDMA Consortium), expected revision 1 or 2");
        } else if (arrived.revision() > config.revision()) {
            // RFC 6581 §10: who does not support the enhanced set-up closes.
            fail(
                    FailureReason.REVISION,
                    "the peer speaks MPA revision %d, expected %d (option revision)"
                            .formatted(arrived.revision(), config.revision()));
        } else if (!initiator) {
            state = State.REQUEST_READY;
        } else if (arrived.reject()) {
            state = State.REJECTED;
        } else {
            agreeAsInitiator(arrived);
        }
    }

    private void agreeAsInitiator(MpaFrame reply) {
        EnhancedBlock block = reply.block();
        int ird = config.ird();
        int ord = config.ord();
        Rtr rtr = Rtr.NONE;
        if (block != null) {
            // RFC 6581 §9.1: 0x3FFF leaves the value to the application.
            ord = block.ird() == EnhancedBlock.NOT_NEGOTIATED ? ord : Math.min(ord, block.ird());
            if (block.ord() != EnhancedBlock.NOT_NEGOTIATED && block.ord() > ird) {
                ird = Math.min(block.ord(), config.maxIrd());
                startFault = block.ord() > config.maxIrd() ? TerminateCode.MPA_INSUFFICIENT_IRD : null;
            }
            if (config.peerToPeer()) {
                rtr = chooseRtr(block);
                if (rtr == Rtr.NONE && startFault == null) {
                    startFault = TerminateCode.MPA_NO_MATCHING_RTR;
                }
            }
        }
        negotiated = Negotiated.builder(true)
                .crc(config.crc() || reply.crc())
                .markersIn(config.markers())
                .markersOut(reply.markers())
                .revision(reply.revision())
                .rtr(rtr)
                .ird(ird)
                .ord(ord)
                .peerIrd(said(block, true))
                .peerOrd(said(block, false))
                .build();
        state = State.DONE;
    }

    private Rtr chooseRtr(EnhancedBlock offered) {
        if (!offered.peerToPeer()) {
            return Rtr.NONE;
        }
        if (offered.rtrWrite() && config.rtrWrite()) {
            return Rtr.WRITE;
        }
        if (offered.rtrRead() && config.rtrRead()) {
            return Rtr.READ;
        }
        return offered.rtrSend() && config.rtrSend() ? Rtr.SEND : Rtr.NONE;
    }

    private static Rtr ownRtr(StartupConfig config) {
        if (config.rtrWrite()) {
            return Rtr.WRITE;
        }
        return config.rtrRead() ? Rtr.READ : Rtr.SEND;
    }

    private static int said(@Nullable EnhancedBlock block, boolean ird) {
        if (block == null) {
            return -1;
        }
        int value = ird ? block.ird() : block.ord();
        return value == EnhancedBlock.NOT_NEGOTIATED ? -1 : value;
    }

    private MpaFrame peer() {
        MpaFrame arrived = peer;
        if (arrived == null) {
            throw new IllegalStateException("no frame of the peer has arrived, state " + state);
        }
        return arrived;
    }

    /** Returns the private data of the peer's frame; empty without. */
    public byte[] peerPrivateData() {
        return peer().privateData().toByteArray();
    }

    /** Returns the IRD that the peer's frame says, -1 if it does not. */
    public int peerIrd() {
        return said(peer().block(), true);
    }

    /** Returns the ORD that the peer's frame says, -1 if it does not. */
    public int peerOrd() {
        return said(peer().block(), false);
    }

    /** Returns how much private data an answer can carry. */
    public int maxPrivateData() {
        return MpaFrame.MAX_PRIVATE_DATA - (peer().enhanced() ? EnhancedBlock.BYTES : 0);
    }

    /** Accepts the request, as the responder; the reply is in {@link #transmitBuffer()}. */
    public void accept(StartupConfig accepted) {
        requireRequest();
        config = accepted;
        MpaFrame request = peer();
        EnhancedBlock asked = request.block();
        int ird = accepted.ird();
        int ord = accepted.ord();
        Rtr rtr = Rtr.NONE;
        EnhancedBlock answer = null;
        if (asked != null) {
            boolean ordOpen = asked.ord() == EnhancedBlock.NOT_NEGOTIATED;
            boolean irdOpen = asked.ird() == EnhancedBlock.NOT_NEGOTIATED;
            // RFC 6581 §9.1: ORD at most the initiator's IRD; IRD at least its ORD, if that can be had.
            ord = irdOpen ? ord : Math.min(ord, asked.ird());
            ird = ordOpen ? ird : Math.min(Math.max(ird, asked.ord()), accepted.maxIrd());
            if (asked.peerToPeer()) {
                Rtr common = chooseRtr(asked);
                // RFC 6581 §9.2: without a common option the responder still names one that it supports.
                rtr = common == Rtr.NONE ? ownRtr(accepted) : common;
                ird = rtr == Rtr.READ ? Math.max(1, ird) : ird;
            } else {
                rtr = Rtr.WAIVED;
            }
            answer = new EnhancedBlock(
                    asked.peerToPeer(),
                    rtr == Rtr.SEND,
                    rtr == Rtr.WRITE,
                    rtr == Rtr.READ,
                    ordOpen ? EnhancedBlock.NOT_NEGOTIATED : ird,
                    irdOpen ? EnhancedBlock.NOT_NEGOTIATED : ord);
        }
        boolean crc = request.crc() || accepted.crc();
        send(new MpaFrame(
                true, accepted.markers(), crc, false, request.revision(), answer, Octets.of(accepted.privateData())));
        negotiated = Negotiated.builder(false)
                .crc(crc)
                .markersIn(accepted.markers())
                .markersOut(request.markers())
                .revision(request.revision())
                .rtr(rtr)
                .ird(ird)
                .ord(ord)
                .peerIrd(said(asked, true))
                .peerOrd(said(asked, false))
                .build();
        state = State.DONE;
    }

    /**
     * Rejects the request, as the responder, with up to {@link #maxPrivateData()} octets; the reply is in
     * {@link #transmitBuffer()}.
     */
    public void reject(byte[] privateData) {
        requireRequest();
        MpaFrame request = peer();
        EnhancedBlock asked = request.block();
        // RFC 6581 §9.1: IRD and ORD are given with a rejection too.
        EnhancedBlock answer = asked == null
                ? null
                : new EnhancedBlock(asked.peerToPeer(), false, asked.peerToPeer(), false, config.ird(), config.ord());
        send(new MpaFrame(true, false, request.crc(), true, request.revision(), answer, Octets.of(privateData)));
        state = State.REJECTED;
    }

    private void requireRequest() {
        if (initiator || state != State.REQUEST_READY) {
            throw new IllegalStateException("no request has arrived, state " + state);
        }
    }

    /** Returns what was agreed, without the segment size. */
    public Negotiated negotiated() {
        Negotiated agreed = negotiated;
        if (agreed == null) {
            throw new IllegalStateException("nothing has been negotiated, state " + state);
        }
        return agreed;
    }

    /** Returns what the stream must be failed with as soon as it starts (RFC 6581 §8); null if it may go on. */
    public @Nullable TerminateCode startFault() {
        return startFault;
    }

    /** Returns why the exchange failed, null if it did not. */
    public @Nullable Failure failure() {
        return failure;
    }
}
