package org.panamaverbs.iwarp.net.unix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Who has a Unix connection's other end, as the kernel says: the process and its effective user when it connected or
 * began to listen, in the numbers of this process's namespaces.
 *
 * @param process 0 if it has no number here
 * @param user as an unsigned number; that of {@link #overflowUser} if it has none here
 */
public record PeerUser(int process, int user) {
    private static final int DEFAULT_OVERFLOW = 65_534;

    /** Returns the effective user of this process. */
    public static int effectiveUser() {
        return UnixCalls.effectiveUser();
    }

    /**
     * Tells whether this is the user of this process. A user without a number in this user namespace is another, also
     * where this process has the very number that stands for all of them.
     */
    public boolean isSameUser() {
        int own = effectiveUser();
        return user == own && (own != overflowUser() || hasAllUsers());
    }

    /** Returns the number that stands for users which have none in this user namespace. */
    static int overflowUser() {
        try {
            // By lines: such a file has all of its number in the first read, and nothing behind it, however little was
            // asked for; Files.readString asks for one byte first.
            return Integer.parseUnsignedInt(Files.readAllLines(Path.of("/proc/sys/kernel/overflowuid"))
                    .getFirst()
                    .strip());
        } catch (IOException | NumberFormatException e) {
            return DEFAULT_OVERFLOW;
        }
    }

    // The first user namespace maps all numbers but the last, which is none.
    private static boolean hasAllUsers() {
        try {
            return Files.readString(Path.of("/proc/self/uid_map"))
                    .strip()
                    .replaceAll(" +", " ")
                    .equals("0 0 4294967295");
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public String toString() {
        return "user " + Integer.toUnsignedString(user) + (process == 0 ? "" : ", process " + process);
    }
}
