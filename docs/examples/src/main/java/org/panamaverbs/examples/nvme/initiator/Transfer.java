package org.panamaverbs.examples.nvme.initiator;

import java.util.List;
import org.panamaverbs.examples.nvme.wire.NamespaceData;
import org.panamaverbs.examples.nvme.wire.Opcode;
import org.panamaverbs.examples.nvme.wire.Status;
import org.panamaverbs.memory.RegisteredBuffer;

/** Moves a buffer to the first blocks of the namespace or from there, in pieces, with all queues full. */
final class Transfer {
    private final Host host;
    private final List<HostQueue> queues;
    private final int blockShift;
    private final RegisteredBuffer data;
    private long inCapsule;
    private long lent;

    /** Creates a transfer of all of {@code data}, whole blocks of {@code namespace}. */
    Transfer(Host host, List<HostQueue> queues, NamespaceData namespace, RegisteredBuffer data) {
        this.host = host;
        this.queues = queues;
        this.data = data;
        blockShift = namespace.blockShift();
    }

    /** Writes the bytes from {@code from} to {@code to} in commands of {@code piece} bytes. */
    void write(long from, long to, int piece) {
        move(Opcode.WRITE, from, to, piece);
    }

    /** Reads all of it in commands of {@code piece} bytes. */
    void read(int piece) {
        move(Opcode.READ, 0, data.length(), piece);
    }

    /** Has what was written kept for good. */
    void flush() {
        HostQueue queue = queues.getFirst();
        int place = queue.place();
        queue.begin(place, Opcode.FLUSH).namespace(Host.NAMESPACE);
        queue.send(place);
        while (take() == 0) {
            // its capsule has left, its answer has not come
        }
    }

    /** Returns how many Writes had their data in the capsule. */
    long inCapsule() {
        return inCapsule;
    }

    /** Returns how many commands were lent their memory. */
    long lent() {
        return lent;
    }

    private void move(int opcode, long from, long to, int piece) {
        long next = from;
        long under = 0;
        while (next < to || under > 0) {
            for (HostQueue queue : queues) {
                for (int place; next < to && (place = queue.place()) >= 0; under++) {
                    int length = (int) Math.min(piece, to - next);
                    send(queue, place, opcode, next, length);
                    next += length;
                }
            }
            under -= take();
        }
    }

    /** Waits; returns how many commands are over. */
    private int take() {
        List<Exchange> over = host.poll();
        for (Exchange exchange : over) {
            if (exchange.status() != Status.SUCCESS) {
                throw new IllegalStateException(String.format(
                        "initiator: command 0x%02x from block %d: %s",
                        exchange.command().opcode(), exchange.command().qword(10), Status.text(exchange.status())));
            }
        }
        return over.size();
    }

    private void send(HostQueue queue, int place, int opcode, long offset, int length) {
        queue.begin(place, opcode)
                .namespace(Host.NAMESPACE)
                .qword(10, offset >>> blockShift)
                .dword(12, (length >>> blockShift) - 1);
        if (opcode == Opcode.WRITE && length <= host.inCapsuleBytes()) {
            inCapsule++;
            queue.sendWithData(place, data, offset, length);
        } else {
            lent++;
            queue.sendLending(place, data, offset, length, opcode == Opcode.WRITE);
        }
    }
}
