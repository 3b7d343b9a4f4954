package org.panamaverbs.examples.nvme.initiator;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.examples.nvme.wire.Command;
import org.panamaverbs.examples.nvme.wire.Response;

/**
 * A place for one command of a queue, with its index as the command's id. It is free again when the capsule has left,
 * the answer has come, and the window is taken away, in whatever order that happens.
 */
final class Exchange {
    private static final int SENDING = 1;
    private static final int ANSWER = 1 << 1;
    private static final int LENT = 1 << 2;

    private final Command command;
    private final @Nullable MemoryWindow window;
    private int awaited;
    private int status;
    private long result;

    Exchange(Command command, @Nullable MemoryWindow window) {
        this.command = command;
        this.window = window;
    }

    Command command() {
        return command;
    }

    @Nullable
    MemoryWindow window() {
        return window;
    }

    /** Begins to wait; {@code lent} says whether the window was bound. */
    void begin(boolean lent) {
        awaited = SENDING | ANSWER | (lent ? LENT : 0);
    }

    void sent() {
        awaited &= ~SENDING;
    }

    /** Takes the answer; returns false if none was awaited. */
    boolean answered(Response response) {
        if ((awaited & ANSWER) == 0) {
            return false;
        }
        awaited &= ~ANSWER;
        status = response.status();
        result = response.result();
        return true;
    }

    boolean isLent() {
        return (awaited & LENT) != 0;
    }

    void takenAway() {
        awaited &= ~LENT;
    }

    boolean isOver() {
        return awaited == 0;
    }

    int status() {
        return status;
    }

    long result() {
        return result;
    }
}
