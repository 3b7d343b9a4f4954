package org.panamaverbs.iwarp.engine;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;

/** A {@link SharedMemoryPeer} whose memory no other process of its user reaches by ptrace(2). */
final class UndumpablePeer {
    // linux/prctl.h
    private static final int PR_SET_DUMPABLE = 4;

    private UndumpablePeer() {}

    /** Has other processes of this one's user reach its memory by ptrace(2) for 1, as at its start, not for 0. */
    static void setDumpable(long dumpable) {
        Linker linker = Linker.nativeLinker();
        try {
            int failed = (int) linker.downcallHandle(
                            linker.defaultLookup().find("prctl").orElseThrow(),
                            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG),
                            Linker.Option.firstVariadicArg(1))
                    .invokeExact(PR_SET_DUMPABLE, dumpable);
            if (failed != 0) {
                throw new AssertionError("prctl");
            }
        } catch (Throwable e) {
            throw new AssertionError("prctl", e);
        }
    }

    public static void main(String[] arguments) throws Throwable {
        setDumpable(0);
        SharedMemoryPeer.main(arguments);
    }
}
