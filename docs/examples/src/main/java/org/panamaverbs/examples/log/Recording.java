package org.panamaverbs.examples.log;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * Messages in a memory-mapped file: for each its length (4 bytes), the CRC32C of what follows (4), the message, and
 * padding up to the next multiple of 8. Behind the last one is a length of 0.
 */
final class Recording implements AutoCloseable {
    private static final VarHandle LENGTH = JAVA_INT.varHandle();
    private static final int HEADER_BYTES = 8;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment file;
    private final CRC32C sum = new CRC32C();
    private long end;

    /** Creates a recording in {@code path}, for {@code count} messages of up to {@code longest} bytes. */
    Recording(Path path, int count, int longest) throws IOException {
        try (FileChannel channel = FileChannel.open(path, CREATE, TRUNCATE_EXISTING, READ, WRITE)) {
            file = channel.map(MapMode.READ_WRITE, 0, (long) count * span(longest) + HEADER_BYTES, arena);
        }
    }

    private static long span(int length) {
        return HEADER_BYTES + length + 7L & ~7L;
    }

    void append(MemorySegment message, long offset, int length) {
        MemorySegment.copy(message, offset, file, end + HEADER_BYTES, length);
        file.set(JAVA_INT, end + Integer.BYTES, sum(end, length));
        // Last, so that a process that reads the file meanwhile finds whole messages only.
        LENGTH.setRelease(file, end, length);
        end += span(length);
    }

    /** Returns how many messages are whole, from the first one on. */
    int whole() {
        int count = 0;
        long at = 0;
        for (int length = length(at); length > 0 && file.get(JAVA_INT, at + 4) == sum(at, length); count++) {
            at += span(length);
            length = length(at);
        }
        return count;
    }

    private int length(long at) {
        return (int) LENGTH.getAcquire(file, at);
    }

    private int sum(long at, int length) {
        sum.reset();
        sum.update(file.asSlice(at + HEADER_BYTES, length).toArray(JAVA_BYTE));
        return (int) sum.getValue();
    }

    /** Unmaps the file, which the system writes to the disk when it likes to. */
    @Override
    public void close() {
        arena.close();
    }
}
