package org.panamaverbs.testkit.conformance.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.FENCE;
import static org.panamaverbs.api.SendFlag.NONE;
import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.api.SendFlag.SOLICITED;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.SendQueue;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.MaskedAtomics;
import org.panamaverbs.testkit.Completion;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.Posts;
import org.panamaverbs.testkit.random.SeededRandom;

/**
 * Some operations at once from one side to the other, each in slots of its own in both buffers so that their effects do
 * not depend on their timing, applied to the model as well; a message at the end shows that all are done.
 */
final class RandomRound {
    private static final int SLOT = 8192;
    private static final int SLOTS = 12;
    static final int BUFFER_BYTES = SLOT * SLOTS;

    private static final int MOST_OPERATIONS = 10;

    private enum Kind {
        SEND,
        SEND_INLINE,
        WRITE,
        WRITE_PIECES,
        WRITE_INLINE,
        WRITE_IMMEDIATE,
        IMMEDIATE,
        READ,
        FETCH_ADD,
        CMP_SWAP
    }

    private record Expected(long wrId, long byteCount, boolean hasImmediate, long immediate) {}

    private final SeededRandom random;
    private final Endpoint from;
    private final QueuePair sender;
    private final byte[] fromModel;
    private final Endpoint to;
    private final QueuePair receiver;
    private final byte[] toModel;
    private final Capabilities can;
    private final List<Long> signaled = new ArrayList<>();
    private final List<Expected> received = new ArrayList<>();
    private final SgList pieces;

    private SendQueue queue;
    private int flags;
    private int local;
    private int remote;
    private int length;

    RandomRound(
            SeededRandom random,
            Endpoint from,
            QueuePair sender,
            byte[] fromModel,
            Endpoint to,
            QueuePair receiver,
            byte[] toModel) {
        this.random = random;
        this.from = from;
        this.sender = sender;
        this.fromModel = fromModel;
        this.to = to;
        this.receiver = receiver;
        this.toModel = toModel;
        can = from.capabilities();
        queue = sender;
        pieces = SgList.ofCapacity(sender.config().maxSendSge());
    }

    void run() {
        int[] localSlots = random.permutation(SLOTS);
        int[] remoteSlots = random.permutation(SLOTS);
        int count = random.between(1, MOST_OPERATIONS);
        boolean batched = random.oneIn(3);
        queue = batched ? sender.batch() : sender;
        for (int i = 0; i < count; i++) {
            length = random.oneIn(8) ? 0 : random.between(1, random.oneIn(2) ? 64 : SLOT / 2);
            local = localSlots[i] * SLOT + random.below(SLOT / 2);
            remote = remoteSlots[i] * SLOT + random.below(SLOT / 2);
            // Where completions are in order, the last one tells of all; elsewhere each tells of itself alone.
            flags = (random.oneIn(2) || !from.keeps(Guarantee.COMPLETION_ORDER) ? SIGNALED : NONE)
                    | (random.oneIn(4) ? FENCE : NONE)
                    | (random.oneIn(4) ? SOLICITED : NONE);
            if ((flags & SIGNALED) != 0) {
                signaled.add((long) i);
            }
            post(random.pick(Kind.values()), i);
        }
        length = 0;
        flags = SIGNALED;
        signaled.add(-1L);
        send(-1);
        if (batched) {
            assertThat(sender.batch().submit()).isEqualTo(count + 1);
        }
        expectCompletions();
    }

    private void post(Kind kind, long wrId) {
        switch (kind) {
            case SEND -> send(wrId);
            case SEND_INLINE -> sendInline(wrId);
            case WRITE -> {
                Posts.accepted(queue.write(wrId, from.buffer(), local, length, to.remote(), remote, flags));
                written();
            }
            case WRITE_PIECES -> writePieces(wrId);
            case WRITE_INLINE -> writeInline(wrId);
            case WRITE_IMMEDIATE -> writeImmediate(wrId);
            case IMMEDIATE -> immediate(wrId);
            case READ -> {
                if (!to.keeps(Guarantee.EMPTY_READS)) {
                    length = Math.max(length, 1);
                }
                Posts.accepted(queue.read(wrId, from.buffer(), local, length, to.remote(), remote, flags));
                System.arraycopy(toModel, remote, fromModel, local, length);
            }
            case FETCH_ADD -> atomic(wrId, true);
            case CMP_SWAP -> atomic(wrId, false);
        }
    }

    private void send(long wrId) {
        receive(wrId, length, false, 0);
        Posts.accepted(queue.send(wrId, from.buffer(), local, length, flags));
        written();
    }

    private void sendInline(long wrId) {
        length = Math.min(length, sender.config().maxInlineBytes());
        receive(wrId, length, false, 0);
        Posts.accepted(queue.sendInline(wrId, inlineData(), 0, length, flags));
        written();
    }

    private void writeInline(long wrId) {
        length = Math.min(length, sender.config().maxInlineBytes());
        Posts.accepted(queue.writeInline(wrId, inlineData(), 0, length, to.remote(), remote, flags));
        written();
    }

    private void writePieces(long wrId) {
        pieces.clear();
        int rest = length;
        while (pieces.count() < pieces.capacity() - 1 && rest > 0) {
            int piece = random.between(1, rest);
            pieces.add(from.buffer(), local + length - rest, piece);
            rest -= piece;
        }
        pieces.add(from.buffer(), local + length - rest, rest);
        Posts.accepted(queue.write(wrId, pieces, to.remote(), remote, flags));
        written();
    }

    private void writeImmediate(long wrId) {
        if (!both(Feature.WRITE_WITH_IMMEDIATE)) {
            send(wrId);
            return;
        }
        long value = immediateValue();
        receive(wrId, -1, true, value);
        Posts.accepted(queue.writeWithImmediate(wrId, from.buffer(), local, length, to.remote(), remote, value, flags));
        written();
    }

    private void immediate(long wrId) {
        if (!both(Feature.STANDALONE_IMMEDIATE)) {
            send(wrId);
            return;
        }
        long value = immediateValue();
        receive(wrId, -1, true, value);
        Posts.accepted(queue.immediate(wrId, value, flags));
    }

    private void atomic(long wrId, boolean add) {
        if (!both(Feature.ATOMICS)) {
            send(wrId);
            return;
        }
        remote &= ~7;
        long before = number(toModel).getLong(remote);
        long operand = random.nextLong();
        long after;
        if (add) {
            after = MaskedAtomics.fetchAdd(before, operand, 0);
            Posts.accepted(queue.fetchAdd(wrId, from.buffer(), local, to.remote(), remote, operand, flags));
        } else {
            long compare = random.oneIn(3) ? random.nextLong() : before;
            after = compare == before ? operand : before;
            Posts.accepted(queue.cmpSwap(wrId, from.buffer(), local, to.remote(), remote, compare, operand, flags));
        }
        number(toModel).putLong(remote, after);
        number(fromModel).putLong(local, before);
    }

    private void receive(long wrId, long byteCount, boolean hasImmediate, long value) {
        Posts.accepted(receiver.recv(wrId, to.buffer(), remote, SLOT / 2));
        received.add(new Expected(wrId, byteCount, hasImmediate, value));
    }

    private void written() {
        System.arraycopy(fromModel, local, toModel, remote, length);
    }

    private MemorySegment inlineData() {
        return MemorySegment.ofArray(java.util.Arrays.copyOfRange(fromModel, local, local + length));
    }

    private long immediateValue() {
        int octets = Math.min(can.immediateBytes(), to.capabilities().immediateBytes());
        return octets == Long.BYTES ? random.nextLong() : random.nextLong() & 0xFFFF_FFFFL;
    }

    private boolean both(Feature feature) {
        return can.has(feature) && to.capabilities().has(feature);
    }

    private void expectCompletions() {
        from.takeAllSent(signaled);
        for (Expected expected : received) {
            Completion completion = to.inbox().takeOk(expected.wrId());
            assertThat(completion.hasImmediate()).isEqualTo(expected.hasImmediate());
            assertThat(completion.immediate()).isEqualTo(expected.immediate());
            if (expected.byteCount() >= 0) {
                assertThat(completion.byteCount()).isEqualTo(expected.byteCount());
            }
        }
    }

    private static ByteBuffer number(byte[] model) {
        return ByteBuffer.wrap(model).order(ByteOrder.nativeOrder());
    }
}
