package org.panamaverbs.sockets.contract;

/**
 * A small program over channels of one provider.
 *
 * @param name unique among all cases
 * @param program what it does, and records
 */
record Case(String name, Program program) {
    /** What a case does. */
    interface Program {
        void run(Trial trial) throws Exception;
    }
}
