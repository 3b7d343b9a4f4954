package org.panamaverbs.iwarp.net.unix;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.net.LibcDescriptor;

/**
 * What a name in a directory of others is, opened by {@code O_PATH}, which asks no file system. Whether it {@link #isIn
 * is in} that directory has to be asked before all else: a user can mount a file system of his own over a file of his,
 * and what is asked of that may never be answered.
 */
final class NamedFile extends LibcDescriptor implements AutoCloseable {
    private static final String MOUNT = "mnt_id:";

    // sys/stat.h
    private static final int S_IFMT = 0170000;
    private static final int S_IFSOCK = 0140000;

    private @Nullable Map<String, Object> facts;

    NamedFile(int descriptor) {
        super(descriptor);
    }

    /** Returns the path by which what {@code descriptor} has open is reached, wherever it is. */
    static Path way(int descriptor) {
        return Path.of("/proc/self/fd/" + descriptor);
    }

    /** Returns the path by which it is reached. */
    Path way() throws IOException {
        return way(descriptor());
    }

    /** Tells whether it is on the mount of {@code directory}, a descriptor, and so none of its own. */
    boolean isIn(int directory) throws IOException {
        return mount(descriptor()).equals(mount(directory));
    }

    /** Asks the kernel alone (man page proc_pid_fdinfo(5)). */
    private static String mount(int descriptor) throws IOException {
        Path about = Path.of("/proc/self/fdinfo/" + descriptor);
        // By a stream: the size of such a file is not known beforehand.
        try (BufferedReader lines = Files.newBufferedReader(about)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(MOUNT)) {
                    return line.substring(MOUNT.length()).strip();
                }
            }
        }
        throw new IOException(
                about + " does not report the mount (" + MOUNT + "), which identifies files of other mounts");
    }

    private Object fact(String name) throws IOException {
        Map<String, Object> known = facts;
        if (known == null) {
            known = Files.readAttributes(way(), "unix:mode,nlink,uid,lastModifiedTime");
            facts = known;
        }
        return Objects.requireNonNull(known.get(name));
    }

    boolean isSocket() throws IOException {
        return ((Integer) fact("mode") & S_IFMT) == S_IFSOCK;
    }

    /** Returns how many names it has. */
    int names() throws IOException {
        return (Integer) fact("nlink");
    }

    PeerUser owner() throws IOException {
        return new PeerUser(0, (Integer) fact("uid"));
    }

    /** Returns the time since it was made, or its time was set. */
    Duration age() throws IOException {
        return Duration.between(((FileTime) fact("lastModifiedTime")).toInstant(), Instant.now());
    }

    @Override
    public void close() {
        closeDescriptor();
    }
}
