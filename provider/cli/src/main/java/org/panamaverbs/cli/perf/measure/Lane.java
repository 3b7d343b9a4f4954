package org.panamaverbs.cli.perf.measure;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.DatagramDestination;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.ReceiveList;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SendQueue;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * One connection of a measurement: its queue pair, the bytes that it sends and those that arrive, and how far it has
 * come. Used by one thread.
 *
 * <p>Reads and Atomics bring their answers into {@link #out}, which sends nothing then, so that {@link #in} is the
 * peer's alone.
 */
public final class Lane {
    private static final int INDEX_SHIFT = 48;
    private static final int RECEIVES_A_POST = 64;
    /** Marks the id of a Read that is waited for by itself. */
    private static final long AWAITED = 1L << 47;

    private static final long NUMBER = AWAITED - 1;
    private static final VarHandle OCTET = ValueLayout.JAVA_BYTE.varHandle();

    public final int index;
    public final QueuePair queuePair;
    final RegisteredBuffer out;
    public final RegisteredBuffer in;
    final Control control;
    public final int rxDepth;
    private final int inlineBytes;
    private final int largest;
    private final @Nullable Batch batch;
    /** Receives, which are all the same. */
    private final ReceiveList receives;

    /** Work requests posted, and those of them that are known to be complete. */
    long posted;

    long completed;
    /** Those of a measurement that were posted since the last one that was signaled. */
    int unsignaled;
    /** The latest Read that is waited for, and the latest that is complete. */
    private long readPosted;

    private long readCompleted;
    /** Messages sent that take a receive, and atomics posted. */
    long counted;
    /** Messages that have arrived here, those whose receive was given back, and what the peer knows of them. */
    long arrived;

    long given;
    long told;
    private long tellingPosted;
    /** Receives of the peer, at the beginning. */
    int peerReceives;
    /** Whether the peer says that it is done. */
    public boolean peerDone;

    private int markedSize;

    @Nullable
    public Connection connection;

    private @Nullable RemoteBuffer remote;
    /** Where datagrams go; null of a connection. */
    private @Nullable DatagramDestination destination;

    private final SgList datagram = SgList.ofCapacity(1);

    Lane(int index, QueuePair queuePair, Buffers buffers, int rxDepth, int inlineBytes, boolean batched) {
        this.index = index;
        this.queuePair = queuePair;
        out = buffers.out();
        in = buffers.in();
        largest = buffers.largest();
        control = new Control(in, Control.baseBehind(largest), buffers.control());
        this.rxDepth = rxDepth;
        this.inlineBytes = inlineBytes;
        batch = batched ? queuePair.batch() : null;
        receives = ReceiveList.ofCapacity(RECEIVES_A_POST);
        while (receives.count() < RECEIVES_A_POST) {
            receives.add((long) index << INDEX_SHIFT, in, 0, largest);
        }
    }

    /**
     * The memory of a lane.
     *
     * @param out {@code largest} bytes to send
     * @param in as many to receive, with a {@link Control} behind
     * @param control what goes to that of the peer
     */
    record Buffers(RegisteredBuffer out, RegisteredBuffer in, RegisteredBuffer control, int largest) {}

    /** Takes the peer's buffer. */
    void remote(RemoteBuffer buffer) {
        remote = buffer;
    }

    /** Takes where its datagrams go. */
    void destination(DatagramDestination datagrams) {
        destination = datagrams;
    }

    /** Returns its connection, once there is one. */
    public Connection connection() {
        Connection known = connection;
        if (known == null) {
            throw new IllegalStateException("lane " + index + " is not connected");
        }
        return known;
    }

    private RemoteBuffer target() {
        RemoteBuffer known = remote;
        if (known == null) {
            throw new IllegalStateException("lane " + index + " is not connected");
        }
        return known;
    }

    /** Posts {@code count} work requests that do {@code operation}; the last is signaled if {@code signaled}. */
    void post(PerfTest.Operation operation, int size, int count, boolean signaled, boolean compareAndSwap) {
        Batch list = count > 1 ? batch : null;
        SendQueue to = list == null ? queuePair : list;
        for (int i = 0; i < count; i++) {
            posted++;
            counted++;
            PostStatus.check(one(to, operation, size, signaled && i == count - 1, compareAndSwap));
        }
        if (list != null) {
            list.submitAll();
        }
    }

    /** Returns the id of the work request that was counted last: when it completes, all before it have. */
    private long wrId() {
        return (long) index << INDEX_SHIFT | posted;
    }

    /** Returns the index of the lane of a work request. */
    static int indexOf(long wrId) {
        return (int) (wrId >>> INDEX_SHIFT);
    }

    /** Takes note that the work request has completed. */
    void sent(long wrId) {
        long number = wrId & NUMBER;
        // Where a Write passes a Read it completes before it (siw).
        completed = Math.max(completed, number);
        if ((wrId & AWAITED) != 0) {
            readCompleted = number;
        }
    }

    private int one(SendQueue to, PerfTest.Operation operation, int size, boolean signaled, boolean compareAndSwap) {
        int flags = signaled ? SendFlag.SIGNALED : SendFlag.NONE;
        boolean inline = size <= inlineBytes;
        long wrId = wrId();
        return switch (operation) {
            case WRITE ->
                inline
                        ? to.writeInline(wrId, out.segment(), 0, size, target(), 0, flags)
                        : to.write(wrId, out, 0, size, target(), 0, flags);
            case WRITE_IMM -> to.writeWithImmediate(wrId, out, 0, size, target(), 0, 1, flags);
            case SEND -> send(to, wrId, size, inline, flags);
            case READ -> to.read(wrId, out, 0, size, target(), 0, flags);
            case ATOMIC ->
                // The cell counts the operations either way.
                compareAndSwap
                        ? to.cmpSwap(wrId, out, 0, target(), 0, counted - 1, counted, flags)
                        : to.fetchAdd(wrId, out, 0, target(), 0, 1, flags);
        };
    }

    private int send(SendQueue to, long wrId, int size, boolean inline, int flags) {
        DatagramDestination datagrams = destination;
        if (datagrams != null) {
            return queuePair.postDatagram(SendOpcode.SEND, wrId, datagram(size), datagrams, 0, flags);
        }
        return inline ? to.sendInline(wrId, out.segment(), 0, size, flags) : to.send(wrId, out, 0, size, flags);
    }

    private SgList datagram(int size) {
        if (datagram.count() == 0) {
            datagram.add(out, 0, size); // the same each time
        }
        return datagram;
    }

    void receive() {
        PostStatus.check(queuePair.recv((long) index << INDEX_SHIFT, in, 0, largest));
    }

    void receive(int count) {
        for (int left = count; left > 0; ) {
            left -= PostStatus.check(queuePair.postRecv(receives, 0, Math.min(left, RECEIVES_A_POST)));
        }
    }

    /** Gives back the receives of what has arrived. */
    void giveBack() {
        if (given < arrived) {
            int count = (int) (arrived - given);
            given = arrived;
            receive(count);
            control.publish(Control.ARRIVED, given);
        }
    }

    /** Takes note that all receives were given back, by a peer that need not be told. */
    public void settle() {
        given = arrived;
        told = arrived;
    }

    /** Tells the peer for how many of its messages receives were given back, so that it can send as many more. */
    void tellTaken() {
        told = given;
        control.set(Control.TAKEN, given);
        write(Control.TAKEN, Long.BYTES);
        tellingPosted = posted;
    }

    /** Tells whether the last one is still on its way, out of memory that the next one needs. */
    boolean telling() {
        return completed < tellingPosted;
    }

    /** Tells the peer what report {@code number} says. */
    void tellReport(long number, double average, double peak) {
        control.set(Control.RATES, Double.doubleToRawLongBits(average));
        control.set(Control.PEAK, Double.doubleToRawLongBits(peak));
        control.set(Control.REPORT, number);
        write(Control.RATES, Control.RATES_BYTES);
        write(Control.REPORT, Long.BYTES);
    }

    private void write(int word, int length) {
        posted++;
        PostStatus.check(queuePair.write(
                wrId(), control.outgoing(), word, length, target(), control.remoteOffset(word), SendFlag.SIGNALED));
    }

    /** Reads {@code word} of the peer; done as {@link #reading} says. */
    void readWord(int word) {
        read(control.outgoing(), word, Long.BYTES, control.remoteOffset(word));
    }

    /** Reads what {@code length} bytes the peer has; done as {@link #reading} says. */
    void readBack(RegisteredBuffer into, int length) {
        read(into, 0, length, 0);
    }

    private void read(RegisteredBuffer into, long offset, int length, long remoteOffset) {
        posted++;
        readPosted = posted;
        PostStatus.check(
                queuePair.read(wrId() | AWAITED, into, offset, length, target(), remoteOffset, SendFlag.SIGNALED));
    }

    /** Tells whether the Read that is waited for is not complete; when it is, what was posted before has arrived. */
    boolean reading() {
        return readCompleted < readPosted;
    }

    /** Says that nothing more comes. */
    void tellDone() {
        posted++;
        PostStatus.check(queuePair.send(wrId(), out, 0, 0, SendFlag.SIGNALED));
    }

    /** Sets the last of {@code size} bytes to be sent; those of other sizes are as the pattern has them. */
    void mark(int size, byte value) {
        MemorySegment to = out.segment();
        if (size != markedSize) {
            if (markedSize != 0) {
                OCTET.set(to, markedSize - 1L, TestPattern.octet(markedSize - 1));
            }
            markedSize = size;
        }
        OCTET.set(to, size - 1L, value);
    }

    /** Tells whether the last of {@code size} bytes has arrived. */
    boolean isMarked(int size, byte value) {
        return (byte) OCTET.getAcquire(in.segment(), size - 1L) == value;
    }
}
