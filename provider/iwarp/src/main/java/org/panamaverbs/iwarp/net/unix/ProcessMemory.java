package org.panamaverbs.iwarp.net.unix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.libc.iovec;
import org.panamaverbs.iwarp.net.LibcCalls;

/** The memory of processes, as far as the kernel lets one reach another's: by the rules of {@code ptrace(2)}. */
public final class ProcessMemory {
    private static final MethodHandle PROCESS_VM_READV = LibcCalls.handle(
            "process_vm_readv",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
            false);
    private static final MethodHandle PRCTL = LibcCalls.handle(
            "prctl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG), Linker.Option.firstVariadicArg(1));
    // linux/prctl.h
    private static final int PR_GET_DUMPABLE = 3;
    private static final int DUMPABLE = 1;
    private static final String YAMA = "proc/sys/kernel/yama/ptrace_scope";

    private ProcessMemory() {}

    /**
     * Fills {@code into}, which is native, with what {@code process} has at {@code address}.
     *
     * @return the bytes that were read, or the negative error number
     */
    public static long read(int process, long address, MemorySegment into) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment here = vector(arena, into.address(), into.byteSize());
            MemorySegment there = vector(arena, address, into.byteSize());
            return UnixCalls.call(state ->
                    (long) PROCESS_VM_READV.invokeExact(state, process, here.address(), 1L, there.address(), 1L, 0L));
        }
    }

    /**
     * Returns why {@code process} is no neighbour of this one, by an error number, 0 if it is: {@link Errno#ENOENT} in
     * another pid namespace, or where it is not seen; {@link Errno#EPERM} if the kernel keeps this one from it. A
     * neighbour of this user can keep this process from going on by {@code kill} as well as by memory that does not
     * answer.
     */
    public static int obstacleTo(int process) {
        try {
            return process > 0
                            && Files.readSymbolicLink(Path.of("/proc/" + process + "/ns/pid"))
                                    .equals(Files.readSymbolicLink(Path.of("/proc/self/ns/pid")))
                    ? 0
                    : Errno.ENOENT;
        } catch (AccessDeniedException e) {
            return Errno.EPERM;
        } catch (IOException e) {
            return Errno.ENOENT;
        }
    }

    private static MemorySegment vector(Arena arena, long address, long bytes) {
        MemorySegment vector = arena.allocate(iovec.layout());
        iovec.iov_base(vector, MemorySegment.ofAddress(address));
        iovec.iov_len(vector, bytes);
        return vector;
    }

    /**
     * Returns 32 bytes that nobody finds who does not know all of {@code memory}, and that differ by {@code process}.
     */
    public static byte[] hash(MemorySegment memory, int process) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(memory.asByteBuffer());
            return digest.digest(
                    ByteBuffer.allocate(Integer.BYTES).putInt(process).array());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each Java platform has SHA-256", e);
        }
    }

    /**
     * Returns why no process of this user but an ancestor reaches this one's memory, empty if nothing is known.
     *
     * @param root where {@code proc} is mounted
     */
    public static String closedTo(Path root) {
        long dumpable = UnixCalls.call(state -> (int) PRCTL.invokeExact(state, PR_GET_DUMPABLE, 0L));
        if (dumpable != DUMPABLE) {
            return "this process is not dumpable, so ptrace(2) may not access its memory";
        }
        // By lines: such a file has all of its number in the first read.
        try {
            String scope =
                    String.join(" ", Files.readAllLines(root.resolve(YAMA))).strip();
            return scope.equals("0")
                    ? ""
                    : "kernel.yama.ptrace_scope is " + scope + ", so processes may not access each other's memory";
        } catch (NoSuchFileException e) {
            // A kernel without Yama.
            return "";
        } catch (IOException e) {
            return "/" + YAMA + " cannot be read: " + e.getMessage();
        }
    }
}
