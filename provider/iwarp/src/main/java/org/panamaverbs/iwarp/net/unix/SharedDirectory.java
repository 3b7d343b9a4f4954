package org.panamaverbs.iwarp.net.unix;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.panamaverbs.bindings.LinuxFiles;
import org.panamaverbs.bindings.libc.Libc;
import org.panamaverbs.iwarp.net.LibcCalls;
import org.panamaverbs.iwarp.net.LibcDescriptor;

/**
 * A directory that processes of one host see, whatever their namespaces, by which they tell each other something and
 * meet: an open one, so that what happens to its path does not matter to who has it. Used by one thread at a time.
 *
 * <p>What they tell is locks of the directory itself, of an open file description: shared ones of single bytes, each of
 * which stands for a text. They end with this, also if the process is killed; nobody can have any other kind of lock,
 * since no directory can be opened to be written; and no file has to be there.
 *
 * <p>They meet at sockets, which are files here. Such a file exists as long as who made it listens. Its byte is locked
 * before, so that one which is left over shows.
 */
public final class SharedDirectory extends LibcDescriptor implements AutoCloseable {
    private static final MethodHandle OPEN = LibcCalls.handle("open", 2);
    // Of whatever lies there instead nothing is opened: a pipe would make this wait, and a device do something.
    private static final int FLAGS = LinuxFiles.O_RDONLY | LinuxFiles.O_DIRECTORY | Libc.O_CLOEXEC();
    // What the name is, and not what it leads to; nothing happens to it.
    private static final int NAME_ALONE = LinuxFiles.O_PATH | LinuxFiles.O_NOFOLLOW | Libc.O_CLOEXEC();
    // Locks are of this kernel. Of one that shares the file system a set-up may be under way, but not for so long.
    private static final Duration LEFT_OVER = Duration.ofHours(1);

    // sys/stat.h
    private static final int OTHERS_WRITE = 0022;
    private static final int STICKY = 01000;

    private static final String PREFIX = "shm-";
    private static final Pattern SOCKET = Pattern.compile(PREFIX + "[0-9a-f]{32}");
    // What is there of strangers' costs whoever looks for leftovers no more than this.
    private static final int MOST_ENTRIES = 4096;

    private final Path path;

    private SharedDirectory(Path path, int descriptor) {
        super(descriptor);
        this.path = path;
    }

    /**
     * Opens the directory.
     *
     * @throws IOException if it is none; or if others than root and this user can change what somebody has put there:
     *     one of them must own it, and it must be sticky if others may write; with what helps
     */
    public static SharedDirectory open(Path path) throws IOException {
        SharedDirectory opened = new SharedDirectory(path, open(path, FLAGS));
        boolean believed = false;
        try {
            opened.believe();
            believed = true;
            return opened;
        } finally {
            if (!believed) {
                opened.close();
            }
        }
    }

    private static int open(Path path, int flags) throws IOException {
        return (int) CallErrors.check("open", path, opened(path, flags), SharedDirectory::remedy);
    }

    /** Returns a descriptor, or a negative error number. */
    private static long opened(Path path, int flags) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = UnixName.ofFile(path, arena);
            return UnixCalls.callInt(OPEN, name.address(), flags, 0);
        }
    }

    private void believe() throws IOException {
        Map<String, Object> facts = Files.readAttributes(itself(), "unix:uid,mode");
        int mode = (Integer) Objects.requireNonNull(facts.get("mode"));
        PeerUser owner = new PeerUser(0, (Integer) Objects.requireNonNull(facts.get("uid")));
        if (owner.user() != 0 && !owner.isSameUser()) {
            boolean numbered = owner.user() != PeerUser.overflowUser();
            throw new IOException(path + " belongs to "
                    + (numbered ? owner : "a user without a number in this user namespace")
                    + "; remedy: use a directory of this user (" + Integer.toUnsignedString(PeerUser.effectiveUser())
                    + "), or of root");
        }
        if ((mode & OTHERS_WRITE) != 0 && (mode & STICKY) == 0) {
            throw new IOException(String.format(
                    "others may write to %s and remove each other's files (mode %o); remedy: run chmod +t %s",
                    path, mode & 07777, path));
        }
    }

    private Path itself() throws IOException {
        return NamedFile.way(descriptor());
    }

    private static String remedy(int errno) {
        if (errno == Libc.ENOENT()) {
            return ": the directory does not exist; remedy: create it, and mount it into each container";
        } else if (errno == Libc.ENOTDIR()) {
            return ": the path is not a directory; remedy: name a directory that both sides see";
        } else if (errno == Libc.EROFS()) {
            return ": the directory is mounted read-only; remedy: mount it writable, since the connecting side"
                    + " creates a socket in it";
        } else if (errno == Libc.ENOSPC() || errno == Libc.EDQUOT()) {
            return ": its file system or this user's quota is full; remedy: free space in it";
        } else if (errno == Libc.EACCES()) {
            return ": this user has no permission; remedy: make the directory readable for this user, and writable on"
                    + " the connecting side";
        } else if (errno == Libc.EPERM()
                || errno == Libc.EINVAL()
                || errno == Libc.ENOLCK()
                || errno == Libc.EOPNOTSUPP()) {
            return ": its file system may not support directory locks or sockets; remedy: use a local one, such as"
                    + " tmpfs";
        }
        return CallErrors.remedy(errno);
    }

    // ---- what is told ---------------------------------------------------------------------------------------------

    /** Tells {@code text}, until this is closed or the process ends; others may tell it as well. */
    public void tell(String text) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            control("fcntl(F_OFD_SETLK)", LinuxFiles.F_OFD_SETLK, lock(arena, octet(text), LinuxFiles.F_RDLCK));
        }
    }

    /** Tells whether another instance tells {@code text}, of this process or of any other. */
    public boolean isTold(String text) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment lock = lock(arena, octet(text), LinuxFiles.F_WRLCK);
            control("fcntl(F_OFD_GETLK)", LinuxFiles.F_OFD_GETLK, lock);
            return lock.get(JAVA_SHORT, LinuxFiles.FLOCK_TYPE) != LinuxFiles.F_UNLCK;
        }
    }

    /** Returns the byte that stands for {@code text}, in all processes and versions. */
    static long octet(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            // Offsets in files have a sign.
            return ByteBuffer.wrap(digest).getLong() >>> 2;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each Java platform has SHA-256", e);
        }
    }

    private static MemorySegment lock(Arena arena, long octet, int type) {
        MemorySegment lock = arena.allocate(LinuxFiles.FLOCK_BYTES, Long.BYTES);
        lock.set(JAVA_SHORT, LinuxFiles.FLOCK_TYPE, (short) type);
        lock.set(JAVA_SHORT, LinuxFiles.FLOCK_WHENCE, (short) LinuxFiles.SEEK_SET);
        lock.set(JAVA_LONG, LinuxFiles.FLOCK_START, octet);
        lock.set(JAVA_LONG, LinuxFiles.FLOCK_LENGTH, 1);
        return lock;
    }

    private void control(String call, int request, MemorySegment lock) throws IOException {
        long result = MemoryCalls.control(descriptor(), request, lock.address());
        CallErrors.check(call, path, result, SharedDirectory::remedy);
    }

    // ---- where they meet ------------------------------------------------------------------------------------------

    /**
     * Begins to listen at a socket in the directory, until {@link #remove} and the server's end.
     *
     * @param name 32 hexadecimal digits, which nobody can foresee
     * @param backlog connections that the system keeps until they are accepted
     * @param anyUser whether other users than this one may connect
     */
    public UnixServer listen(String name, int backlog, boolean anyUser) throws IOException {
        String file = file(name);
        tell(file);
        UnixServer server = UnixServer.listen(
                UnixName.ofPath(path.resolve(file), itself().resolve(file)), backlog, SharedDirectory::remedy);
        boolean open = false;
        try {
            if (anyUser) {
                // Until now only this user's, which needs no trust in the process's mask.
                Files.setPosixFilePermissions(itself().resolve(file), PosixFilePermissions.fromString("rw-rw-rw-"));
            }
            open = true;
            return server;
        } finally {
            if (!open) {
                try {
                    server.close();
                } finally {
                    remove(name);
                }
            }
        }
    }

    /**
     * Connects to the socket {@code name}.
     *
     * @throws IOException if there is none, or nobody who listens; or if what is there is another thing under that
     *     name: a link, or a socket that has other names, to which somebody may want to send this process
     */
    public UnixSocket connect(String name) throws IOException {
        String file = file(name);
        UnixSocket connected = null;
        boolean isWhole = false;
        try {
            try (NamedFile it = new NamedFile(open(itself().resolve(file), NAME_ALONE))) {
                if (!it.isIn(descriptor()) || !it.isSocket() || it.names() != 1) {
                    throw new IOException(path.resolve(file)
                            + " is not a socket, has other names, or is a mount: the peer did not create it");
                }
                connected = UnixSocket.connect(UnixName.ofPath(path.resolve(file), it.way()));
            }
            isWhole = true;
            return connected;
        } finally {
            if (!isWhole && connected != null) {
                connected.close();
            }
        }
    }

    /** Removes the socket {@code name}, if it is there; what cannot be removed is left to who comes next. */
    public void remove(String name) {
        try {
            Files.deleteIfExists(itself().resolve(file(name)));
        } catch (IOException e) {
            // The directory may not be written any more, or has gone.
            return;
        }
    }

    private static String file(String name) {
        String file = PREFIX + name;
        if (!SOCKET.matcher(file).matches()) {
            throw new IllegalArgumentException("the name of a socket must have 32 hexadecimal digits, got " + name);
        }
        return file;
    }

    /**
     * Removes sockets of this user whose makers have not in an hour: they were killed. Of very many files some are not
     * looked at.
     *
     * @return how many
     */
    public int removeLeftovers() throws IOException {
        int removed = 0;
        int seen = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(itself())) {
            for (Path file : files) {
                if (isLeftover(file) && Files.deleteIfExists(file)) {
                    removed++;
                }
                if (++seen == MOST_ENTRIES) {
                    break;
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return removed;
    }

    private boolean isLeftover(Path file) throws IOException {
        String name = file.getFileName().toString();
        if (!SOCKET.matcher(name).matches()) {
            return false;
        }
        long opened = opened(itself().resolve(name), NAME_ALONE);
        if (opened < 0) {
            // Gone meanwhile, most likely.
            return false;
        }
        try (NamedFile it = new NamedFile((int) opened)) {
            // Its byte was locked before it was there.
            return it.isIn(descriptor())
                    && it.isSocket()
                    && it.owner().isSameUser()
                    && it.age().compareTo(LEFT_OVER) > 0
                    && !isTold(name);
        }
    }

    /** Closes the directory, and with it ends what was told. */
    @Override
    public void close() {
        closeDescriptor();
    }

    /** Returns the path that it was opened by. */
    @Override
    public String toString() {
        return path.toString();
    }
}
