package org.panamaverbs.examples.nvme.controller;

import org.panamaverbs.examples.nvme.wire.Command;

/**
 * What hosts can have of the target.
 *
 * @param queues I/O queues of one controller
 * @param controllers at once
 * @param depth commands of one I/O queue at once
 */
record Limits(int queues, int controllers, int depth) {
    /** Bytes of data in a capsule, and of a structure that a command gets. */
    static final int DATA_BYTES = 4096;
    /** Bytes of a capsule, with data. */
    static final int CAPSULE_BYTES = Command.BYTES + DATA_BYTES;
    /** A command moves at most 4096 bytes shifted by this: 1 MiB. */
    static final int MAX_TRANSFER_SHIFT = 8;
    /** Bytes that a command moves at most. */
    static final int MAX_TRANSFER_BYTES = 4096 << MAX_TRANSFER_SHIFT;

    // Whatever I/O queues have: as many as the specification demands of an admin queue, and Linux takes.
    static final int ADMIN_DEPTH = 32;

    /** Returns how many commands queue {@code queueId} may have at once. */
    int depth(int queueId) {
        return queueId == 0 ? ADMIN_DEPTH : depth;
    }

    /** Returns how many connections there can be: admin queues and I/O queues. */
    int connections() {
        return controllers * (1 + queues);
    }
}
