package org.panamaverbs.iwarp.shm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.IntSupplier;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.iwarp.net.unix.ProcessMemory;

/**
 * What a side asks of its peer that is to be let into its memory only if it could get there anyway: to show what lies
 * in private memory of this process, which the kernel lets it read by {@code process_vm_readv} or not. The rules are
 * those of {@code ptrace(2)} with all that belongs to them: users, capabilities, namespaces, Yama, security modules,
 * seccomp. One connection and one thread at a time.
 *
 * <p>Each side writes into the words of its own file: where its secret lies, and what it answers for the peer's. The
 * answer is a hash of the secret and of the number of the process that has read it. So nobody can have another process
 * answer in its place, nor learn by that what lies in the memory of a third: a secret begins with known bytes.
 */
public final class AccessProof implements AutoCloseable {
    // Numbers that no other memory begins with.
    private static final long KNOWN_FIRST = 0x4456_5f72_6f6f_6650L;
    private static final long KNOWN_SECOND = 0x9d1f_66a0_5be3_c872L;
    private static final int KNOWN_BYTES = 2 * Long.BYTES;
    private static final int SECRET_BYTES = KNOWN_BYTES + 32;
    private static final int MOST_ERRNO = 4095;

    private final MemorySegment secret;

    private AccessProof(MemorySegment secret) {
        this.secret = secret;
    }

    /** Asks the peer, which is to see the file {@code own} only after that, by a secret of {@code random} numbers. */
    public static AccessProof ask(MemorySegment own, IntSupplier random) {
        MemorySegment secret = Arena.ofAuto().allocate(SECRET_BYTES, Long.BYTES);
        secret.set(JAVA_LONG, 0, KNOWN_FIRST);
        secret.set(JAVA_LONG, Long.BYTES, KNOWN_SECOND);
        for (int at = KNOWN_BYTES; at < SECRET_BYTES; at += Integer.BYTES) {
            secret.set(JAVA_INT, at, random.getAsInt());
        }
        own.set(JAVA_LONG, RingLayout.ASKS_OFFSET, secret.address());
        return new AccessProof(secret);
    }

    /** Answers in {@code own} what {@code peer} asks, the file of the process {@code number}, 0 for an unknown one. */
    public static void answer(MemorySegment own, MemorySegment peer, int number) {
        long address = peer.get(JAVA_LONG, RingLayout.ASKS_OFFSET);
        if (address == 0) {
            return;
        }
        MemorySegment read = Arena.ofAuto().allocate(SECRET_BYTES, Long.BYTES);
        // Its owner can have the memory never answer, and who is no neighbour could not stop this process otherwise.
        int obstacle = ProcessMemory.obstacleTo(number);
        long bytes = obstacle == 0 ? ProcessMemory.read(number, address, read) : -obstacle;
        if (bytes == SECRET_BYTES
                && read.get(JAVA_LONG, 0) == KNOWN_FIRST
                && read.get(JAVA_LONG, Long.BYTES) == KNOWN_SECOND) {
            byte[] hash = ProcessMemory.hash(read, (int) ProcessHandle.current().pid());
            MemorySegment.copy(hash, 0, own, JAVA_BYTE, RingLayout.ANSWER_OFFSET, hash.length);
        } else {
            own.set(JAVA_INT, RingLayout.REFUSED_OFFSET, bytes < 0 ? (int) -bytes : Errno.EFAULT);
        }
        read.fill((byte) 0);
    }

    /**
     * Returns why the answer in the file {@code peer} does not prove that process {@code number}, its owner, can access
     * the memory of this one; empty if it does.
     */
    public String missing(MemorySegment peer, int number) {
        byte[] answer = new byte[RingLayout.ANSWER_BYTES];
        MemorySegment.copy(peer, JAVA_BYTE, RingLayout.ANSWER_OFFSET, answer, 0, answer.length);
        if (number > 0 && Arrays.equals(answer, ProcessMemory.hash(secret, number))) {
            return "";
        }
        int refused = peer.get(JAVA_INT, RingLayout.REFUSED_OFFSET);
        if (refused > 0 && refused <= MOST_ERRNO) {
            return "the peer's process may not access this process's memory: " + reason(refused);
        }
        return peer.get(JAVA_LONG, RingLayout.ASKS_OFFSET) == 0
                ? "the peer does not offer it"
                : "the peer's process did not prove that it may access this process's memory";
    }

    /** Returns why the kernel did not let this process, the owner of {@code own}, answer; empty if it did. */
    public static String refused(MemorySegment own) {
        int refused = own.get(JAVA_INT, RingLayout.REFUSED_OFFSET);
        return refused == 0 ? "" : "this process may not access the peer's memory: " + reason(refused);
    }

    private static String reason(int refused) {
        return refused == Errno.ENOENT
                ? "the processes are in different PID namespaces, or hidden"
                : Errno.describe(refused);
    }

    /** Forgets the secret; can be repeated. */
    @Override
    public void close() {
        secret.fill((byte) 0);
    }
}
