package org.panamaverbs.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The sizes of memory pages, found without native access. */
final class PageSize {
    private static final Path AUXILIARY_VECTOR = Path.of("/proc/self/auxv");
    private static final Path MEMORY_INFO = Path.of("/proc/meminfo");
    private static final String HUGE = "^Hugepagesize:\\s+(\\d+) kB$";

    /** From {@code elf.h}. */
    private static final long AT_PAGESZ = 6;

    private static final long LARGEST_BASE = 1 << 16;
    private static final long USUAL_HUGE = 2 << 20;

    /** Bytes of a base page; where the system does not say, the largest of any processor the JDK supports. */
    static final long BASE = base();

    private PageSize() {}

    /** Bytes of the huge pages that {@code MAP_HUGETLB} gives. */
    static long huge() {
        try {
            Matcher line = Pattern.compile(HUGE, Pattern.MULTILINE).matcher(Files.readString(MEMORY_INFO));
            return line.find() ? Long.parseLong(line.group(1)) << 10 : USUAL_HUGE;
        } catch (IOException e) {
            return USUAL_HUGE;
        }
    }

    /** The least multiple of a page size that holds so many bytes. */
    static long roundUp(long bytes, long pageBytes) {
        if (bytes > Long.MAX_VALUE - pageBytes) {
            throw new IllegalArgumentException("Cannot allocate " + bytes + " bytes in whole pages: too large");
        }
        return Math.ceilDiv(bytes, pageBytes) * pageBytes;
    }

    private static long base() {
        try {
            ByteBuffer entries =
                    ByteBuffer.wrap(Files.readAllBytes(AUXILIARY_VECTOR)).order(ByteOrder.nativeOrder());
            while (entries.remaining() >= 2 * Long.BYTES) {
                long type = entries.getLong();
                long value = entries.getLong();
                if (type == AT_PAGESZ && Long.bitCount(value) == 1) {
                    return value;
                }
            }
        } catch (IOException e) {
            // Not Linux, or /proc is not mounted.
        }
        return LARGEST_BASE;
    }
}
