package org.panamaverbs.bindings;

/**
 * Numbers and offsets for files, their locks and seals, sockets and credentials, which the generated bindings lack.
 * Those that differ between architectures are those of {@link Architecture#CURRENT}.
 */
public final class LinuxFiles {
    // linux/fcntl.h
    /** The request of fcntl for the seals of a file. */
    public static final int F_GET_SEALS = 1034;

    // asm-generic/fcntl.h
    /** The request of fcntl for the lock that is in the way of another one, of open file descriptions. */
    public static final int F_OFD_GETLK = 36;
    /** The request of fcntl to set or end a lock of an open file description, without waiting. */
    public static final int F_OFD_SETLK = 37;
    /** A lock that others may have, too. */
    public static final int F_RDLCK = 0;
    /** A lock that is one's own. */
    public static final int F_WRLCK = 1;
    /** No lock. */
    public static final int F_UNLCK = 2;
    /** Opens a file to be read. */
    public static final int O_RDONLY = 0;
    /** Opens what a name is, without using it: a socket, or a link itself. */
    public static final int O_PATH = 0x20_0000;
    /** Opens no symbolic link. */
    public static final int O_NOFOLLOW = Architecture.CURRENT.openNoFollow(); // asm/fcntl.h
    /** Opens a directory, and nothing else. */
    public static final int O_DIRECTORY = Architecture.CURRENT.openDirectory(); // asm/fcntl.h

    // struct flock
    /** Bytes of {@code struct flock}. */
    public static final int FLOCK_BYTES = 32;
    /** Offset of {@code l_type}, 16 bits. */
    public static final int FLOCK_TYPE = 0;
    /** Offset of {@code l_whence}, 16 bits. */
    public static final int FLOCK_WHENCE = 2;
    /** Offset of {@code l_start}, 64 bits. */
    public static final int FLOCK_START = 8;
    /** Offset of {@code l_len}, 64 bits. */
    public static final int FLOCK_LENGTH = 16;

    // linux/fs.h
    /** Seeks from the beginning. */
    public static final int SEEK_SET = 0;
    /** Seeks from the end. */
    public static final int SEEK_END = 2;
    /** Seeks the next hole, or the end. */
    public static final int SEEK_HOLE = 4;

    // linux/memfd.h
    /** Makes a memory file that can never be executed; since Linux 6.3. */
    public static final int MFD_NOEXEC_SEAL = 8;

    // linux/magic.h
    /** The type of a file system in memory, in base pages. */
    public static final long TMPFS_MAGIC = 0x0102_1994;

    // linux/sockios.h
    /** The request of ioctl for the bytes that a TCP socket has not yet had acknowledged. */
    public static final long SIOCOUTQ = 0x5411;

    // struct statfs
    /** Bytes of {@code struct statfs}. */
    public static final int STATFS_BYTES = 120;
    /** Offset of {@code f_type}, 64 bits. */
    public static final int STATFS_TYPE = 0;

    // asm-generic/socket.h
    /** The option of sockets that has bytes which were sent as urgent come in their turn. */
    public static final int SO_OOBINLINE = 10;

    // struct ucred
    /** Bytes of {@code struct ucred}. */
    public static final int UCRED_BYTES = 12;
    /** Offset of {@code pid}, 32 bits. */
    public static final int UCRED_PID = 0;
    /** Offset of {@code uid}, 32 bits. */
    public static final int UCRED_UID = 4;

    private LinuxFiles() {}
}
