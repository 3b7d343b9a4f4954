package org.panamaverbs.examples.nvme.controller;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.examples.nvme.wire.Command;
import org.panamaverbs.examples.nvme.wire.NamespaceData;
import org.panamaverbs.examples.nvme.wire.Opcode;
import org.panamaverbs.examples.nvme.wire.Status;
import org.panamaverbs.memory.RegisteredBuffer;

/** The blocks: registered memory, which data goes to and comes from without a copy. */
final class Namespace {
    /** Its id; there is no other. */
    static final int ID = 1;

    private static final int ALL = -1;
    private static final int BLOCK_SHIFT = 9;

    private final RegisteredBuffer memory;
    private final long blocks;
    private long reads;
    private long writes;
    private long inCapsule;
    private long flushes;

    /** Creates a namespace of {@code memory}, or of the file that it is mapped to. */
    Namespace(RegisteredBuffer memory) {
        this.memory = memory;
        blocks = memory.length() >>> BLOCK_SHIFT;
    }

    NamespaceData describe() {
        return new NamespaceData(blocks, BLOCK_SHIFT);
    }

    /** Tells whether what was written must be flushed to be kept for good. */
    boolean isFile() {
        return memory.segment().isMapped();
    }

    MemorySegment segment() {
        return memory.segment();
    }

    /** Returns what it was asked for so far, for people. */
    String summary() {
        return String.format(
                "%,d Reads, %,d Writes (%,d with the data in the capsule), %,d Flushes",
                reads, writes, inCapsule, flushes);
    }

    /** Begins an I/O command; returns its status. */
    int begin(Request request) {
        Command command = request.command();
        int id = command.namespace();
        if (id != ID && !(id == ALL && command.opcode() == Opcode.FLUSH)) {
            return Status.INVALID_NAMESPACE | Status.DO_NOT_RETRY;
        }
        return switch (command.opcode()) {
            case Opcode.READ -> move(request, Request.Data.TO_HOST);
            case Opcode.WRITE -> move(request, Request.Data.FROM_HOST);
            case Opcode.FLUSH -> flush();
            default -> Status.INVALID_OPCODE | Status.DO_NOT_RETRY;
        };
    }

    private int move(Request request, Request.Data direction) {
        long first = request.command().qword(10);
        int count = (request.command().dword(12) & 0xFFFF) + 1;
        // Unsigned: a first block beyond 2^63 - 1 is negative here.
        if (first < 0 || first > blocks - count) {
            return Status.LBA_RANGE | Status.DO_NOT_RETRY;
        }
        int bytes = count << BLOCK_SHIFT;
        if (bytes > Limits.MAX_TRANSFER_BYTES) {
            return Status.INVALID_FIELD | Status.DO_NOT_RETRY;
        }
        if (direction == Request.Data.TO_HOST) {
            reads++;
        } else {
            writes++;
            inCapsule += request.isInCapsule() ? 1 : 0;
        }
        return request.move(direction, memory, first << BLOCK_SHIFT, bytes);
    }

    /**
     * Writes what the system has of the file to its disk. All queues wait meanwhile: a real target has a thread for it.
     */
    private int flush() {
        flushes++;
        if (isFile()) {
            memory.segment().force();
        }
        return Status.SUCCESS;
    }
}
