package org.panamaverbs.cli.doctor;

/**
 * Looks at one side of a machine. It reads files alone, changes nothing, and does not fail: what is unreadable is not
 * there.
 */
@FunctionalInterface
interface Check {
    /** Looks at {@code machine} and adds what is found to {@code findings}. */
    void look(MachineTree machine, Findings findings);
}
