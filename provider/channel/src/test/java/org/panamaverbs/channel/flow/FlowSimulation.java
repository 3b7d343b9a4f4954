package org.panamaverbs.channel.flow;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Two ends over a network that keeps the order of each direction, with all else in random order: when bytes land, when
 * posts complete, which end or both stall, when they beat, what is kept and released. Throws where an end loses,
 * reorders or overwrites a message, sends without a receive, holds a message back, or where both wait for ever. A run
 * follows from its seed.
 */
final class FlowSimulation {
    private static final int RECEIVES = 64;
    private static final int CREDIT_STRIDE = 32;

    private final Random random;
    private final boolean slots;
    private final Limits limits;
    private final int maxMessage;
    private final End left;
    private final End right;

    /** What goes over the wire: bytes of the sender's memory at {@code offset}, or a copy of them. */
    private static final class Message {
        final long post;
        final int offset;
        final int wire;
        final int stream;
        final boolean signaled;
        final MemorySegment bytes;
        boolean credit;
        boolean write;

        Message(long post, int offset, int wire, int stream, boolean signaled, MemorySegment bytes) {
            this.post = post;
            this.offset = offset;
            this.wire = wire;
            this.stream = stream;
            this.signaled = signaled;
            this.bytes = bytes;
        }
    }

    private record Kept(long position, MemorySegment memory, long offset, int length, int number) {}

    private final class End {
        final MemorySegment staging = memory(limits.ringBytes());
        final MemorySegment receives = memory(RECEIVES * (slots ? limits.chunkBytes() : CREDIT_STRIDE));
        final MemorySegment ring = memory(limits.ringBytes());
        final Outbound outbound = new Outbound(staging, limits, RECEIVES, slots);
        final Inbound inbound = new Inbound(slots ? receives : ring, limits, slots, maxMessage, slots ? ring : null);
        final ArrayDeque<Message> wire = new ArrayDeque<>();
        final ArrayDeque<Long> completions = new ArrayDeque<>();
        final ArrayDeque<Integer> posted = new ArrayDeque<>();
        final ArrayDeque<InFlight> inFlight = new ArrayDeque<>();
        final List<Kept> kept = new ArrayList<>();
        final List<Integer> lengths = new ArrayList<>();
        int taken;
        boolean hoards;
        boolean ended;
        boolean endTaken;

        End() {
            for (int i = 0; i < RECEIVES; i++) {
                posted.add(i);
            }
        }

        End peer() {
            return this == left ? right : left;
        }

        /** Publishes a message of {@code length} bytes; false if there is no room. */
        boolean publish(int length) {
            int at = outbound.claim(length);
            if (at < 0) {
                return false;
            }
            for (int i = 0; i < length; i++) {
                staging.set(JAVA_BYTE, at + i, content(lengths.size(), i));
            }
            outbound.commit(length, Frame.DATA);
            lengths.add(length);
            return true;
        }

        void service() {
            for (int due = inbound.receivesDue(); due > 0; due--) {
                posted.add(inbound.nextReceive());
            }
            while (outbound.nextChunk()) {
                write();
                post(outbound.chunkOffset(), outbound.chunkWire(), outbound.chunkStream(), staging);
                outbound.chunkPosted();
            }
            if (inbound.creditDue() && outbound.mayPostCredit()) {
                postCredit();
            }
        }

        /** Sends a credit although none is due, as an idle end does. */
        void beat() {
            if (outbound.mayPostBeat()) {
                postCredit();
            }
        }

        private void postCredit() {
            MemorySegment credit = memory(Frame.CREDIT_BYTES);
            Frame.putCredit(credit, 0, inbound.released(), inbound.reposted());
            post(0, Frame.CREDIT_BYTES, 0, credit).credit = true;
            outbound.creditPosted();
            inbound.reported();
        }

        /** Posts the payload of a large message: it lands at any time before the chunk behind it. */
        private void write() {
            int bytes = outbound.chunkWritten();
            if (bytes > 0) {
                int at = outbound.chunkOffset() + outbound.chunkWire();
                MemorySegment payload = staging.asSlice(at, bytes);
                inFlight.add(new InFlight(outbound.posts(), payload, payload.toArray(JAVA_BYTE)));
                if (random.nextBoolean()) {
                    MemorySegment.copy(payload, 0, peer().ring, at, bytes);
                } else {
                    Message message = new Message(outbound.posts(), at, bytes, 0, false, payload);
                    message.write = true;
                    wire.add(message);
                }
            }
        }

        private Message post(int offset, int bytes, int stream, MemorySegment from) {
            boolean early = random.nextBoolean();
            MemorySegment piece = from.asSlice(offset, bytes);
            inFlight.add(new InFlight(outbound.posts(), piece, piece.toArray(JAVA_BYTE)));
            if (early) {
                piece = MemorySegment.ofArray(piece.toArray(JAVA_BYTE));
                if (!slots && stream > 0) {
                    // On an adapter, bytes may land long before they are announced.
                    MemorySegment.copy(piece, 0, peer().ring, offset, bytes);
                }
            }
            Message message = new Message(outbound.posts(), offset, bytes, stream, outbound.signals(stream), piece);
            wire.add(message);
            return message;
        }

        /** Delivers the oldest message of this end to the other one. */
        void carry() {
            Message message = wire.poll();
            if (message == null) {
                return;
            }
            End to = peer();
            if (message.write) {
                MemorySegment.copy(message.bytes, 0, to.ring, message.offset, message.wire);
                return;
            }
            Integer receive = to.posted.poll();
            check(receive != null, "a message found no receive");
            if (message.credit || slots) {
                int stride = slots ? limits.chunkBytes() : CREDIT_STRIDE;
                MemorySegment.copy(message.bytes, 0, to.receives, (long) receive * stride, message.wire);
                to.received(receive, message.wire);
            } else {
                MemorySegment.copy(message.bytes, 0, to.ring, message.offset, message.wire);
                to.inbound.receiveTaken(receive);
                check(to.inbound.arrived(message.stream), to.inbound.violation());
            }
            if (message.signaled) {
                completions.add(message.post);
            }
        }

        private void received(int receive, int bytes) {
            long at = (long) receive * (slots ? limits.chunkBytes() : CREDIT_STRIDE);
            if (bytes == Frame.CREDIT_BYTES && Frame.isCredit(Frame.header(receives, at))) {
                inbound.receiveTaken(receive);
                check(
                        outbound.credit(Frame.creditReleased(receives, at), Frame.creditReposted(receives, at)),
                        "a wrong credit");
            } else {
                check(inbound.arrived(receive, bytes), inbound.violation());
            }
        }

        void complete() {
            Long post = completions.poll();
            if (post != null) {
                while (!inFlight.isEmpty() && inFlight.element().post <= post) {
                    InFlight one = inFlight.remove();
                    check(
                            Arrays.equals(one.memory.toArray(JAVA_BYTE), one.content),
                            "memory of post " + one.post + " was overwritten before it completed");
                }
                outbound.completed(post);
            }
        }

        /** Takes up to {@code limit} messages, and keeps some of them. */
        void take(int limit, boolean keep) {
            for (int i = 0; i < limit; i++) {
                int found = inbound.next();
                if (found != Inbound.MESSAGE) {
                    check(found != Inbound.VIOLATION, inbound.violation());
                    endTaken |= found == Inbound.END;
                    check(
                            !inbound.hasFrames() || kept.size() == RECEIVES,
                            "a message is held back with " + kept.size() + " kept");
                    return;
                }
                check(!endTaken, "a message behind the end");
                Kept one = new Kept(
                        inbound.messageEnd(),
                        inbound.messageLarge() || !slots ? ring : receives,
                        inbound.messageOffset(),
                        inbound.messageLength(),
                        taken++);
                intact(one);
                boolean keeps = keep && random.nextInt(3) == 0;
                inbound.take(keeps);
                if (keeps) {
                    kept.add(one);
                }
            }
        }

        /** Publishes the end if there is room. */
        void end() {
            if (!ended && outbound.claim(0) >= 0) {
                outbound.commit(0, Frame.END);
                ended = true;
            }
        }

        /** Releases one message, an end that hoards the oldest last. */
        void release() {
            if (!kept.isEmpty()) {
                int spared = hoards && kept.size() > 1 ? 1 : 0;
                Kept one = kept.remove(random.nextInt(spared, kept.size()));
                intact(one);
                check(inbound.release(one.position), "a kept message is unknown");
                check(!inbound.release(one.position), "a message is released twice");
            }
        }

        private void intact(Kept one) {
            int expected = peer().lengths.get(one.number);
            check(one.length == expected, "message " + one.number + " has " + one.length + " bytes, not " + expected);
            for (int i = 0; i < one.length; i++) {
                check(
                        one.memory.get(JAVA_BYTE, one.offset + i) == content(one.number, i),
                        "message " + one.number + " was overwritten at " + i);
            }
        }
    }

    FlowSimulation(long seed) {
        // The first numbers of neighboring seeds are alike.
        random = new Random(seed * 0x9E37_79B9_7F4A_7C15L);
        slots = seed % 2 == 0;
        int ringBytes = 256 << random.nextInt(5);
        int chunk = slots ? Math.min(ringBytes / 2, 64 << random.nextInt(3)) : ringBytes;
        limits = new Limits(ringBytes, RECEIVES, chunk);
        maxMessage = ringBytes / 4 - Frame.HEADER_BYTES;
        left = new End();
        right = new End();
    }

    /** What an adapter may read until the post has completed, and as it was when posted. */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares them
    private record InFlight(long post, MemorySegment memory, byte[] content) {}

    /** Plays, then lets everything go on until both ends are idle. */
    void play() {
        int steps = 50 + random.nextInt(3000);
        boolean eager = random.nextBoolean();
        int longest = random.nextInt(3) == 0 ? 8 : maxMessage;
        int patience = 1 + random.nextInt(3) * random.nextInt(100);
        int keepers = random.nextInt(3);
        left.hoards = random.nextBoolean();
        right.hoards = random.nextBoolean();
        int outcome = random.nextInt(8);
        int beats = random.nextInt(3) * random.nextInt(20);
        int stall = random.nextInt(steps);
        for (int i = 0; i < steps; i++) {
            End end = random.nextBoolean() ? left : right;
            // One end may do nothing for long; its provider goes on or not.
            if (i / 100 % 4 == 1 && end == left && random.nextInt(20) > 0) {
                continue;
            }
            if (random.nextInt(100) < beats) {
                end.beat();
            }
            if (i == stall && beats > 0) {
                stall();
            }
            switch (random.nextInt(8)) {
                case 0, 1 -> {
                    end.publish(random.nextInt(random.nextBoolean() ? Math.min(16, longest + 1) : longest + 1));
                    if (eager) {
                        end.service();
                    }
                }
                case 2 -> end.service();
                case 3, 4 -> end.carry();
                case 5 -> end.complete();
                case 6 -> end.take(1 + random.nextInt(4), keepers > 0);
                default -> {
                    if (random.nextInt(patience) == 0) {
                        end.release();
                    }
                }
            }
        }
        if (outcome < 2) {
            loseLeft();
        } else if (outcome < 5) {
            endWithAllUnderWay();
        } else {
            settle();
            end(left);
            end(right);
        }
    }

    /** Nothing arrives for long anywhere, while both ends beat. */
    private void stall() {
        for (int i = 0; i < 2 * RECEIVES; i++) {
            for (End end : List.of(left, right)) {
                end.service();
                end.beat();
                end.complete();
            }
        }
    }

    /** Nothing of the left end arrives any more: the right one takes what is there, whole and in order. */
    private void loseLeft() {
        for (int i = 0; i < 1000; i++) {
            right.take(8, false);
            right.release();
            right.service();
            right.publish(random.nextInt(maxMessage));
        }
        check(right.kept.isEmpty() && !right.inbound.hasFrames(), "frames are left over");
    }

    /** Both take and release everything; then everything has arrived, and the longest message fits again. */
    private void settle() {
        for (int round = 0; round < 200; round++) {
            for (End end : List.of(left, right)) {
                end.take(Integer.MAX_VALUE, false);
                while (!end.kept.isEmpty()) {
                    end.release();
                }
                end.service();
                for (int i = random.nextInt(4); i >= 0; i--) {
                    end.carry();
                    end.complete();
                }
            }
        }
        for (End end : List.of(left, right)) {
            check(
                    end.taken == end.peer().lengths.size(),
                    "only " + end.taken + " of " + end.peer().lengths.size() + " messages arrive");
            check(end.inbound.position() == end.peer().outbound.position(), "the positions differ");
            check(end.wire.isEmpty(), "both wait");
        }
        for (End end : List.of(left, right)) {
            check(end.publish(maxMessage), "no room although everything was released");
        }
        for (End end : List.of(left, right)) {
            for (int i = 0; i < 200; i++) {
                end.service();
                end.carry();
                end.complete();
                end.peer().take(4, false);
                end.peer().service();
            }
            check(end.peer().taken == end.lengths.size(), "the last message does not arrive");
        }
    }

    /** The ends are published as soon as they fit, and are taken while older messages are kept. */
    private void endWithAllUnderWay() {
        List<End> ends = List.of(left, right);
        for (int round = 0; round < 20_000; round++) {
            for (End end : ends) {
                end.end();
                end.take(4, true);
                if (random.nextInt(4) == 0) {
                    end.release();
                }
                end.service();
                end.carry();
                end.complete();
            }
            if (ends.stream().allMatch(end -> end.ended && end.outbound.released() == end.outbound.position())) {
                check(left.endTaken && right.endTaken, "an end is reported that was not taken");
                check(left.taken == right.lengths.size(), "messages are missing in front of the end");
                check(right.taken == left.lengths.size(), "messages are missing in front of the end");
                return;
            }
        }
        throw new AssertionError("what was released behind the end is not reported");
    }

    /** The end is the last that arrives, and is reported at once. */
    private void end(End end) {
        end.end();
        check(end.ended, "no room for the end");
        for (int i = 0; i < 200; i++) {
            end.service();
            end.carry();
            end.complete();
            end.peer().take(4, false);
            end.peer().service();
            end.peer().carry();
            end.peer().complete();
        }
        check(end.peer().endTaken, "the end does not arrive");
        check(end.outbound.released() == end.outbound.position(), "the end is not reported");
    }

    private static byte content(int number, int at) {
        return (byte) (number * 41 + at * 7 + 1);
    }

    private static MemorySegment memory(int bytes) {
        return MemorySegment.ofArray(new long[(bytes + 7) / 8]);
    }

    static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
