package org.panamaverbs.testkit.soak.traffic;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Set;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.testkit.random.SeededRandom;
import org.panamaverbs.testkit.soak.ledger.Faults;
import org.panamaverbs.testkit.soak.ledger.SendLedger;
import org.panamaverbs.testkit.soak.ledger.Tally;

/**
 * Random operations of one end of a line, with a model that knows what each must bring. An operation with data has a
 * lane to itself until it is done: memory here, and a target and a cell at the peer that nobody else touches. Used by
 * one thread.
 *
 * <p>Messages are numbered. The receiver grants them by writing how many it took into one byte here, which needs no
 * receive and so cannot be short of one.
 */
public final class Traffic implements SendLedger.Listener {
    /** Requests that may be outstanding: those of the lanes, credits, and what is done but not told. */
    public static final int DEPTH = 64;

    /** The inline bytes that queue pairs are made with. */
    static final int INLINE = 64;

    private static final int NO_LANE = -1;
    private static final int LONGEST_UNSIGNALED_RUN = 4;
    private static final int MESSAGE_HEADER = 8;
    private static final long FIELD_TOPS = 0x8000_0000_8000_0000L;
    private static final VarHandle OCTET = ValueLayout.JAVA_BYTE.varHandle();
    private static final Operation[] OPERATIONS = Operation.values();

    private final QueuePair queuePair;
    private final RegisteredBuffer buffer;
    private final MemorySegment memory;
    private final Layout layout;
    private final Hello mine;
    private final Hello peer;
    private final SendLedger ledger;
    private final long kindAndSerial;
    private final SeededRandom random;
    private final Tally tally;
    private final Faults faults;
    private final Set<Operation> possible;
    private final MemorySegment credit = MemorySegment.ofArray(new byte[1]);

    private final boolean[] busy = new boolean[Layout.LANES];
    private final long[] cells = new long[Layout.LANES];
    private final long[] writtenKeys = new long[Layout.LANES];
    private final int[] writtenLengths = new int[Layout.LANES];
    private final Operation[] operations = new Operation[DEPTH];
    private final int[] lanes = new int[DEPTH];
    private final long[] expected = new long[DEPTH];
    private final int[] lengths = new int[DEPTH];
    private int unsignaledRun;
    private int busyLanes;
    private int messagesSent;
    private int creditsTold;

    /**
     * What this end has.
     *
     * @param queuePair the queue pair
     * @param buffer its buffer
     * @param hello what it tells the peer of the two
     */
    public record Side(QueuePair queuePair, RegisteredBuffer buffer, Hello hello) {}

    /** Creates the traffic from {@code side} to {@code peer}, whose requests have ids of {@code kindAndSerial}. */
    public Traffic(
            Side side,
            Hello peer,
            SendLedger ledger,
            long kindAndSerial,
            Capabilities capabilities,
            Tally tally,
            Faults faults) {
        queuePair = side.queuePair();
        buffer = side.buffer();
        memory = buffer.segment();
        mine = side.hello();
        layout = new Layout(mine.laneBytes(), 0, 0);
        this.peer = peer;
        this.ledger = ledger;
        this.kindAndSerial = kindAndSerial;
        random = new SeededRandom(mine.key());
        this.tally = tally;
        this.faults = faults;
        possible = Operation.of(capabilities);
    }

    /** Returns the depths that queue pairs are made with. */
    public static QueuePairConfig sized(QueuePairConfig config, int receives) {
        return config.withDepth(DEPTH, receives).withSge(1, 1).withInline(INLINE);
    }

    /** Posts up to {@code count} operations; returns whether it posted any. */
    public boolean burst(int count) {
        boolean any = false;
        for (int i = 0; i < count; i++) {
            int lane = freeLane();
            if (lane == NO_LANE || !ledger.hasRoom() || !post(pick(lane), lane)) {
                return any;
            }
            any = true;
        }
        return any;
    }

    private int freeLane() {
        int start = random.below(Layout.LANES);
        for (int i = 0; i < Layout.LANES; i++) {
            int lane = (start + i) % Layout.LANES;
            if (!busy[lane]) {
                return lane;
            }
        }
        return NO_LANE;
    }

    private Operation pick(int lane) {
        Operation wanted = random.pick(OPERATIONS);
        boolean granted = !wanted.isMessage() || messagesUnderWay() < peer.receives();
        boolean sensible = wanted != Operation.READ || writtenLengths[lane] > 0;
        return granted && sensible && possible.contains(wanted) ? wanted : Operation.WRITE;
    }

    private int messagesUnderWay() {
        int taken = (byte) OCTET.getVolatile(memory, (long) Layout.CREDIT);
        return (messagesSent - taken) & 0xFF;
    }

    /** Posts {@code operation}; false if the queue is full or the post was refused. */
    private boolean post(Operation operation, int lane) {
        int flags = flags(operation);
        long wrId = kindAndSerial | ledger.next();
        int slot = (int) ledger.next() & (DEPTH - 1);
        int status = operation.isAtomic()
                ? postAtomic(operation, wrId, slot, lane, flags)
                : postData(operation, wrId, slot, lane, flags);
        if (!accepted(status, operation.name())) {
            return false;
        }
        entered(operation, slot, lane, flags);
        busy[lane] = true;
        busyLanes++;
        tally.add(operation.count());
        return true;
    }

    private int flags(Operation operation) {
        boolean signaled = unsignaledRun >= LONGEST_UNSIGNALED_RUN || busyLanes == Layout.LANES - 1 || random.oneIn(2);
        int flags = signaled ? SendFlag.SIGNALED : SendFlag.NONE;
        if (operation.isMessage() && random.oneIn(4)) {
            flags |= SendFlag.SOLICITED;
        }
        return random.oneIn(16) ? flags | SendFlag.FENCE : flags;
    }

    private void entered(Operation operation, int slot, int lane, int flags) {
        operations[slot] = operation;
        lanes[slot] = lane;
        boolean signaled = (flags & SendFlag.SIGNALED) != 0;
        ledger.posted(signaled);
        unsignaledRun = signaled ? 0 : unsignaledRun + 1;
        tally.add(Tally.Count.SENDS_POSTED);
    }

    private boolean accepted(int status, String what) {
        if (status == PostStatus.ACCEPTED) {
            return true;
        }
        if (status == PostStatus.QUEUE_FULL) {
            tally.add(Tally.Count.QUEUE_FULL);
        } else {
            faults.report(Faults.Kind.REFUSED, queuePair + ": " + what + ": " + PostStatus.text(status));
        }
        return false;
    }

    private int postData(Operation operation, long wrId, int slot, int lane, int flags) {
        long here = layout.lane(lane);
        long there = layout.target(lane);
        return switch (operation) {
            case SEND -> {
                int length = message(here, Math.min(layout.laneBytes(), peer.receiveBytes()));
                yield sent(queuePair.send(wrId, buffer, here, length, flags));
            }
            case INLINE_SEND -> {
                int length = message(here, INLINE);
                yield sent(queuePair.sendInline(wrId, memory, here, length, flags | SendFlag.INLINE));
            }
            case WRITE -> {
                int length = write(lane);
                yield written(lane, length, queuePair.write(wrId, buffer, here, length, peer.buffer(), there, flags));
            }
            case WRITE_WITH_IMMEDIATE -> {
                int length = write(lane);
                int status = queuePair.writeWithImmediate(
                        wrId, buffer, here, length, peer.buffer(), there, messagesSent & 0xFFFF_FFFFL, flags);
                yield written(lane, length, sent(status));
            }
            case IMMEDIATE -> sent(queuePair.immediate(wrId, messagesSent & 0xFFFF_FFFFL, flags));
            default -> {
                lengths[slot] = writtenLengths[lane];
                expected[slot] = writtenKeys[lane];
                yield queuePair.read(wrId, buffer, here, lengths[slot], peer.buffer(), there, flags);
            }
        };
    }

    // A message is its number, its length and a pattern.
    private int message(long offset, int longest) {
        int length = random.between(MESSAGE_HEADER, longest);
        memory.set(ValueLayout.JAVA_INT_UNALIGNED, offset, messagesSent);
        memory.set(ValueLayout.JAVA_INT_UNALIGNED, offset + Integer.BYTES, length);
        Pattern.fill(memory, offset + MESSAGE_HEADER, length - MESSAGE_HEADER, peer.key() + messagesSent);
        return length;
    }

    private int sent(int status) {
        messagesSent += status == PostStatus.ACCEPTED ? 1 : 0;
        return status;
    }

    private int write(int lane) {
        int length = random.oneIn(4) ? layout.laneBytes() : random.between(1, layout.laneBytes());
        writtenKeys[lane] = random.nextLong();
        Pattern.fill(memory, layout.lane(lane), length, writtenKeys[lane]);
        return length;
    }

    private int written(int lane, int length, int status) {
        writtenLengths[lane] = status == PostStatus.ACCEPTED ? length : 0;
        return status;
    }

    private int postAtomic(Operation operation, long wrId, int slot, int lane, int flags) {
        long here = layout.lane(lane);
        long there = Layout.cell(lane);
        long before = cells[lane];
        long operand = random.nextLong();
        expected[slot] = before;
        return switch (operation) {
            case FETCH_ADD ->
                modelled(
                        lane,
                        before + operand,
                        queuePair.fetchAdd(wrId, buffer, here, peer.buffer(), there, operand, flags));
            case CMP_SWAP -> {
                long compare = random.oneIn(4) ? before + 1 : before;
                yield modelled(
                        lane,
                        compare == before ? operand : before,
                        queuePair.cmpSwap(wrId, buffer, here, peer.buffer(), there, compare, operand, flags));
            }
            case MASKED_FETCH_ADD -> {
                long sum = ((before & ~FIELD_TOPS) + (operand & ~FIELD_TOPS)) ^ ((before ^ operand) & FIELD_TOPS);
                yield modelled(
                        lane,
                        sum,
                        queuePair.maskedFetchAdd(wrId, buffer, here, peer.buffer(), there, operand, FIELD_TOPS, flags));
            }
            default ->
                modelled(lane, operand, queuePair.swap(wrId, buffer, here, peer.buffer(), there, operand, flags));
        };
    }

    private int modelled(int lane, long after, int status) {
        if (status == PostStatus.ACCEPTED) {
            cells[lane] = after;
        }
        return status;
    }

    /** Tells the peer how many of its messages were taken, all in all; false if it must be tried again. */
    public boolean grant(int messagesTaken) {
        if (messagesTaken - creditsTold < Math.max(1, mine.receives() / 4) || !ledger.hasRoom()) {
            return false;
        }
        boolean signaled = unsignaledRun >= LONGEST_UNSIGNALED_RUN;
        int flags = SendFlag.INLINE | (signaled ? SendFlag.SIGNALED : SendFlag.NONE);
        credit.set(ValueLayout.JAVA_BYTE, 0, (byte) messagesTaken);
        int slot = (int) ledger.next() & (DEPTH - 1);
        int status =
                queuePair.writeInline(kindAndSerial | ledger.next(), credit, 0, 1, peer.buffer(), Layout.CREDIT, flags);
        if (!accepted(status, "credit")) {
            return false;
        }
        entered(Operation.WRITE, slot, NO_LANE, flags);
        creditsTold = messagesTaken;
        tally.add(Tally.Count.CREDITS);
        return true;
    }

    @Override
    public void succeeded(long sequence) {
        int slot = (int) sequence & (DEPTH - 1);
        int lane = lanes[slot];
        if (lane == NO_LANE) {
            return;
        }
        busy[lane] = false;
        busyLanes--;
        Operation operation = operations[slot];
        long here = layout.lane(lane);
        if (operation.isAtomic()) {
            long found = memory.get(ValueLayout.JAVA_LONG_UNALIGNED, here);
            if (found != expected[slot]) {
                faults.report(
                        Faults.Kind.DATA,
                        "%s: %s found 0x%x, expected 0x%x".formatted(queuePair, operation, found, expected[slot]));
            }
        } else if (operation == Operation.READ) {
            long wrong = Pattern.mismatch(memory, here, lengths[slot], expected[slot]);
            if (wrong >= 0) {
                faults.report(
                        Faults.Kind.DATA,
                        "%s: a Read of %d bytes differs from byte %d on".formatted(queuePair, lengths[slot], wrong));
            }
        }
    }

    /**
     * Checks message {@code number}, which arrived at {@code offset} of {@code receives} or as immediate data.
     *
     * @param key of the hello of the side that received it
     */
    public static void check(
            WorkCompletion completion, MemorySegment receives, long offset, int number, long key, Faults faults) {
        if (completion.hasImmediate()) {
            if ((int) completion.immediate() != number) {
                faults.report(
                        Faults.Kind.MESSAGE,
                        "%s: expected immediate data %d".formatted(completion, number & 0xFFFF_FFFFL));
            }
            return;
        }
        long length = completion.byteCount();
        int found = length < MESSAGE_HEADER ? ~number : receives.get(ValueLayout.JAVA_INT_UNALIGNED, offset);
        if (found != number) {
            faults.report(Faults.Kind.MESSAGE, "%s: message %d, expected %d".formatted(completion, found, number));
            return;
        }
        int said = receives.get(ValueLayout.JAVA_INT_UNALIGNED, offset + Integer.BYTES);
        long wrong = Pattern.mismatch(receives, offset + MESSAGE_HEADER, length - MESSAGE_HEADER, key + number);
        if (said != length || wrong >= 0) {
            faults.report(
                    Faults.Kind.DATA,
                    "%s: message %d of %d bytes differs from byte %d on"
                            .formatted(completion, number, said, wrong + MESSAGE_HEADER));
        }
    }
}
