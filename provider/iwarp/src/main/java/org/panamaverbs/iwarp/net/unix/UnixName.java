package org.panamaverbs.iwarp.net.unix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.panamaverbs.bindings.libc.Libc;

/** The name of a Unix socket: abstract, which belongs to the network namespace and ends with its socket, or a path. */
public final class UnixName {
    /** The most bytes of an abstract name, and of a path (man page unix(7)). */
    public static final int MAX_BYTES = 107;

    // That of file names. One that the JDK does not know, or of more bytes a character, does not occur on Linux.
    private static final Charset CHARSET = fileNames();

    private final boolean isAbstract;
    private final String text;
    private final byte[] octets;

    private UnixName(boolean isAbstract, String text, byte[] octets) {
        this.isAbstract = isAbstract;
        this.text = text;
        this.octets = octets;
        if (octets.length == 0 || octets.length > MAX_BYTES) {
            throw new IllegalArgumentException("the name of a Unix socket must have 1 to " + MAX_BYTES + " bytes, got "
                    + octets.length + ": " + text);
        }
    }

    /**
     * Returns an abstract name.
     *
     * @throws IllegalArgumentException if it has no bytes in UTF-8 or more than {@link #MAX_BYTES}
     */
    public static UnixName ofAbstract(String name) {
        return new UnixName(true, name, name.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Returns the name of a socket at {@code path}.
     *
     * @throws IllegalArgumentException if the path has more than {@link #MAX_BYTES} bytes
     */
    public static UnixName ofPath(Path path) {
        return new UnixName(false, path.toString(), path.toString().getBytes(CHARSET));
    }

    /**
     * Returns the name of a socket at {@code path}, which is reached by {@code way}.
     *
     * @throws IllegalArgumentException if the way has more than {@link #MAX_BYTES} bytes
     */
    static UnixName ofPath(Path path, Path way) {
        return new UnixName(false, path.toString(), way.toString().getBytes(CHARSET));
    }

    /** Returns the name of any file as the C library takes it. */
    static MemorySegment ofFile(Path path, Arena arena) {
        return arena.allocateFrom(path.toString(), CHARSET);
    }

    private static Charset fileNames() {
        return System.getProperty("sun.jnu.encoding", "").equals("ANSI_X3.4-1968")
                ? StandardCharsets.ISO_8859_1
                : StandardCharsets.UTF_8;
    }

    /** Returns the name as {@code struct sockaddr_un}, as much of it as counts. */
    MemorySegment encode(Arena arena) {
        int start = isAbstract ? Short.BYTES + 1 : Short.BYTES;
        // One more byte ends a path, which is zero; the length of an abstract name counts.
        MemorySegment address = arena.allocate(start + octets.length + (isAbstract ? 0 : 1), Short.BYTES);
        address.set(JAVA_SHORT, 0, (short) Libc.AF_UNIX());
        MemorySegment.copy(octets, 0, address, JAVA_BYTE, start, octets.length);
        return address;
    }

    /** Returns the path, or the abstract name behind {@code @}. */
    @Override
    public String toString() {
        return isAbstract ? '@' + text : text;
    }
}
