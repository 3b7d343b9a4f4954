package org.panamaverbs.examples.ring;

import static org.panamaverbs.api.SendFlag.NONE;
import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.memory.Access.LOCAL_WRITE;

import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.examples.command.TwoEnds;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;

/** The side that fills the ring: it connects, writes records into the consumer's memory, and announces them. */
final class Producer {
    private static final int CREDITS = 16;

    private final RingLayout layout;
    private final RemoteBuffer ring;
    private final RegisteredBuffer staging;
    private final RegisteredBuffer notes;
    private final QueuePair queuePair;
    private final MemorySegment announcement = MemorySegment.ofArray(new byte[RingLayout.NOTE_BYTES]);

    /** How many records were written. */
    private long written;
    /** Of those, how many have left the staging buffer: the Send behind them has completed. */
    private long sent;
    /** Of those, how many the consumer has taken out of the ring. */
    private long consumed;

    private Producer(
            RingLayout layout, RemoteBuffer ring, RegisteredBuffer staging, RegisteredBuffer notes, QueuePair pair) {
        this.layout = layout;
        this.ring = ring;
        this.staging = staging;
        this.notes = notes;
        this.queuePair = pair;
    }

    static void run(TwoEnds ends, String message, int records, int batch) throws Exception {
        Deadline deadline = ends.deadline();
        var server = ends.server();
        try (var verbs = Verbs.open();
                var domain = verbs.protectionDomain();
                var notes = domain.allocate((long) CREDITS * RingLayout.NOTE_BYTES, LOCAL_WRITE);
                // A Write and the Send that announces it for each of up to 4,096 slots: a power of two either way.
                var queue = verbs.completionQueue(8192 + CREDITS);
                var queuePair =
                        domain.queuePair(QueuePairConfig.of(domain, queue).withDepth(8192, CREDITS));
                var connection = connect(verbs, server, queuePair, notes, deadline)) {
            ByteBuffer offer = ByteBuffer.wrap(connection.privateData());
            RemoteBuffer ring = RemoteBuffer.decode(offer);
            RingLayout layout = RingLayout.of(offer.getInt());
            try (var staging = domain.allocate(layout.bytes())) {
                var producer = new Producer(layout, ring, staging, notes, queuePair);
                long begin = System.nanoTime();
                producer.produce(message.getBytes(RingLayout.CHARSET), records, batch, queue, deadline);
                double seconds = (System.nanoTime() - begin) / 1e9;
                ends.say("producer: %,d records in %.3f s, %,.0f a second", records, seconds, records / seconds);
                connection.disconnect(deadline);
            }
        }
    }

    private static Connection connect(
            Verbs verbs, InetSocketAddress server, QueuePair queuePair, RegisteredBuffer notes, Deadline deadline) {
        for (int i = 0; i < CREDITS; i++) {
            postReceive(queuePair, notes, i);
        }
        return verbs.connect(server, queuePair, ConnectionConfig.defaults(), deadline);
    }

    private void produce(byte[] text, long records, int batch, CompletionQueue queue, Deadline deadline) {
        var completions = WorkCompletions.ofCapacity(32);
        while (consumed < records) {
            // A slot may be filled again when the consumer has taken the record out of its own memory, and when the
            // Write has left ours. The one does not follow from the other: each is told by a completion of its own.
            long limit = Math.min(records, Math.min(consumed, sent) + layout.slots());
            if (written < limit) {
                write(text, Math.min(limit, written + batch), records);
                take(completions, queue.poll(completions));
            } else {
                take(completions, queue.poll(completions, deadline));
            }
        }
    }

    /** Writes records up to number {@code end}, and announces them all by one Send. */
    private void write(byte[] text, long end, long records) {
        for (; written < end; written++) {
            int length = layout.put(staging.segment(), written, text);
            long at = layout.offset(written);
            // Unsignaled: the completion of the Send behind them counts for all.
            PostStatus.check(queuePair.write(written, staging, at, length, ring, at, NONE));
        }
        RingLayout.putNote(announcement, written, written == records);
        PostStatus.check(queuePair.sendInline(written, announcement, 0, RingLayout.NOTE_BYTES, SIGNALED));
    }

    private void take(WorkCompletions completions, int count) {
        for (int i = 0; i < count; i++) {
            WorkCompletion completion = completions.get(i);
            if (!completion.ok()) {
                throw new IllegalStateException("producer: " + completion);
            }
            if (completion.opcode() == WcOpcode.RECV) {
                int receive = (int) completion.wrId();
                consumed = RingLayout.noteRecords(notes.segment(), (long) receive * RingLayout.NOTE_BYTES);
                postReceive(queuePair, notes, receive);
            } else {
                sent = completion.wrId();
            }
        }
    }

    private static void postReceive(QueuePair queuePair, RegisteredBuffer notes, int receive) {
        PostStatus.check(queuePair.recv(receive, notes, (long) receive * RingLayout.NOTE_BYTES, RingLayout.NOTE_BYTES));
    }
}
