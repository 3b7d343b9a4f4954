package org.panamaverbs.examples.ring;

import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.memory.Access.LOCAL_WRITE;
import static org.panamaverbs.memory.Access.REMOTE_WRITE;

import java.lang.foreign.MemorySegment;
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
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.examples.command.TwoEnds;
import org.panamaverbs.memory.RegisteredBuffer;

/** The side that has the ring. It listens, takes records out, and says how many it has taken. */
final class Consumer {
    private static final int SENDS = 16;
    private static final long CREDIT = -1;

    private final TwoEnds ends;
    private final RingLayout layout;
    private final RegisteredBuffer ring;
    private final RegisteredBuffer notes;
    private final QueuePair queuePair;
    private final MemorySegment credit = MemorySegment.ofArray(new byte[RingLayout.NOTE_BYTES]);

    private long consumed;
    private long credited;
    private boolean all;

    private Consumer(
            TwoEnds ends, RingLayout layout, RegisteredBuffer ring, RegisteredBuffer notes, QueuePair queuePair) {
        this.ends = ends;
        this.layout = layout;
        this.ring = ring;
        this.notes = notes;
        this.queuePair = queuePair;
    }

    static void run(TwoEnds ends, RingLayout layout) {
        Deadline deadline = ends.deadline();
        // The producer has at most `slots` records under way, and each Send announces at least one.
        int receives = layout.slots() + 1;
        try (var verbs = Verbs.open();
                var domain = verbs.protectionDomain();
                var ring = domain.allocate(layout.bytes(), LOCAL_WRITE, REMOTE_WRITE);
                var notes = domain.allocate((long) receives * RingLayout.NOTE_BYTES, LOCAL_WRITE);
                var queue = verbs.completionQueue(receives + SENDS);
                var queuePair = domain.queuePair(QueuePairConfig.of(domain, queue)
                        .withDepth(SENDS, receives)
                        .withAccess(REMOTE_WRITE));
                var listener = verbs.listen(ends.listenAddress())) {
            var consumer = new Consumer(ends, layout, ring, notes, queuePair);
            // Receives are posted before the peer can send: a message that finds none ends the connection.
            for (int i = 0; i < receives; i++) {
                consumer.postReceive(i);
            }
            ends.listening(listener.localAddress());
            try (var request = listener.accept(deadline);
                    var connection = request.accept(queuePair, offer(ring, layout), deadline)) {
                ends.say("consumer: %s from %s", connection.transport(), connection.remoteAddress());
                consumer.consume(queue, deadline);
                // The producer hangs up when it has read the last credit.
                connection.awaitDisconnect(deadline);
            }
        }
    }

    /** Tells the producer where the ring is, with the connection's set-up: STag, address, length, rights; slots. */
    private static ConnectionConfig offer(RegisteredBuffer ring, RingLayout layout) {
        byte[] where = ring.remote().encode();
        return ConnectionConfig.defaults()
                .withPrivateData(ByteBuffer.allocate(where.length + Integer.BYTES)
                        .put(where)
                        .putInt(layout.slots())
                        .array());
    }

    private void consume(CompletionQueue queue, Deadline deadline) {
        var completions = WorkCompletions.ofCapacity(32);
        while (!all) {
            // This is the poll of the consumer: it asks for completions, and never looks at the ring itself for news.
            int count = queue.poll(completions, deadline);
            for (int i = 0; i < count; i++) {
                WorkCompletion completion = completions.get(i);
                if (!completion.ok()) {
                    throw new IllegalStateException("consumer: " + completion);
                }
                if (completion.opcode() == WcOpcode.RECV) {
                    takeAnnounced((int) completion.wrId());
                }
            }
        }
        ends.say("consumer: took %,d records", consumed);
    }

    private void takeAnnounced(int receive) {
        long at = (long) receive * RingLayout.NOTE_BYTES;
        long announced = RingLayout.noteRecords(notes.segment(), at);
        all = RingLayout.noteAll(notes.segment(), at);
        postReceive(receive);
        // RFC 5040 §5.5: a Send completes here after all Writes in front of it are placed. So these records are whole.
        for (; consumed < announced; consumed++) {
            take(consumed);
        }
        if (all || consumed - credited >= layout.slots() / 4) {
            giveCredit();
        }
    }

    private void take(long number) {
        long found = layout.numberAt(ring.segment(), number);
        if (found != number) {
            throw new IllegalStateException("consumer: record " + found + " is where " + number + " has to be");
        }
        if (number < 3) {
            ends.say("consumer: record %d says \"%s\"", number, layout.textAt(ring.segment(), number));
        }
    }

    /** Tells the producer which slots are free again. */
    private void giveCredit() {
        RingLayout.putNote(credit, consumed, all);
        PostStatus.check(queuePair.sendInline(CREDIT, credit, 0, RingLayout.NOTE_BYTES, SIGNALED));
        credited = consumed;
    }

    private void postReceive(int receive) {
        PostStatus.check(queuePair.recv(receive, notes, (long) receive * RingLayout.NOTE_BYTES, RingLayout.NOTE_BYTES));
    }
}
