package org.panamaverbs.examples.nvme.controller;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.examples.nvme.wire.Command;
import org.panamaverbs.examples.nvme.wire.Status;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.TaggedOffset;

/**
 * A place for a capsule of one queue, and what becomes of the command in it: a command handler says which of the
 * target's memory takes its data or has it, and the queue moves it.
 */
final class Request {
    /** Where the data of a command goes. */
    enum Data {
        /** There is none. */
        NONE,
        /** To the host's memory, by an RDMA Write. */
        TO_HOST,
        /** Out of the capsule, or out of the host's memory by an RDMA Read. */
        FROM_HOST,
        /** There is none, and no answer before something happens. */
        HELD
    }

    private final int index;
    private final RegisteredBuffer capsules;
    private final long at;
    private final Command command;
    private long capsuleBytes;
    private Data data = Data.NONE;
    private @Nullable RegisteredBuffer memory;
    private long offset;
    private int length;
    private long result;

    /** Creates the place {@code index} in {@code capsules}. */
    Request(int index, RegisteredBuffer capsules) {
        this.index = index;
        this.capsules = capsules;
        at = (long) index * Limits.CAPSULE_BYTES;
        command = new Command(capsules.segment(), at);
    }

    /** Begins with the capsule of {@code bytes} bytes that has come, at least those of a command. */
    void begin(long bytes) {
        capsuleBytes = bytes;
        data = Data.NONE;
        memory = null;
        offset = 0;
        length = 0;
        result = 0;
    }

    int index() {
        return index;
    }

    /** Returns where the capsule lies in the queue's buffer. */
    long at() {
        return at;
    }

    Command command() {
        return command;
    }

    Data data() {
        return data;
    }

    long offset() {
        return offset;
    }

    int length() {
        return length;
    }

    long result() {
        return result;
    }

    RegisteredBuffer memory() {
        if (memory == null) {
            throw new IllegalStateException("a command without data has no memory");
        }
        return memory;
    }

    /** For handlers: the response has {@code value}. */
    int answer(long value) {
        result = value;
        return Status.SUCCESS;
    }

    /** For handlers: there is no answer yet. */
    int hold() {
        data = Data.HELD;
        return Status.SUCCESS;
    }

    /** For handlers: {@code bytes} bytes of {@code buffer} go to the host, or come from it. */
    int move(Data direction, RegisteredBuffer buffer, long from, int bytes) {
        data = direction;
        memory = buffer;
        offset = from;
        length = bytes;
        return Status.SUCCESS;
    }

    /** For handlers: {@code bytes} bytes of {@link #scratch} go to the host, or come from it. */
    int moveScratch(Data direction, int bytes) {
        return move(direction, capsules, at + Command.BYTES, bytes);
    }

    /**
     * Returns the place of the capsule's data, for structures that a command takes or gets. Data that came in the
     * capsule is there already.
     */
    MemorySegment scratch() {
        return capsules.segment().asSlice(at + Command.BYTES, Limits.DATA_BYTES);
    }

    /** Tells whether the data came with the command. */
    boolean isInCapsule() {
        return command.sglType() == Command.IN_CAPSULE;
    }

    /** Returns where in the capsule the data begins; for one whose descriptor is right. */
    long inCapsuleAt() {
        return at + Command.BYTES + command.address();
    }

    /** Returns what is wrong with the descriptor: the host's lengths and offsets are believed only after this. */
    int checkDescriptor() {
        if (command.sglType() == Command.IN_CAPSULE) {
            long room = capsuleBytes - Command.BYTES;
            boolean within =
                    command.address() >= 0 && command.address() <= room && command.length() <= room - command.address();
            if (data != Data.FROM_HOST) {
                return Status.INVALID_FIELD | Status.DO_NOT_RETRY;
            }
            if (!within) {
                return Status.SGL_OFFSET | Status.DO_NOT_RETRY;
            }
        } else if (!command.isKeyed()) {
            return Status.SGL_TYPE | Status.DO_NOT_RETRY;
        } else if (TaggedOffset.wraps(command.address(), command.length())) {
            return Status.SGL_OFFSET | Status.DO_NOT_RETRY;
        }
        return command.length() == length ? Status.SUCCESS : Status.SGL_LENGTH | Status.DO_NOT_RETRY;
    }
}
