package org.panamaverbs.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages that cannot be had are told, before an access to them ends the process. */
class PopulateTest {
    private static final long BYTES = 64L << 20;

    /** Huge pages of 2 to the power of 63 bytes: no system has some. */
    private static final int REFUSED = Libc.MAP_HUGETLB | 63 << 26;

    @TempDir
    private Path directory;

    @BeforeEach
    void linux() {
        assumeTrue(Libc.unavailable().isEmpty(), "no libc to call");
    }

    @Test
    void takesThePagesAtOnce() throws Exception {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment pages = Libc.require("a test").mapAnonymous(BYTES, 0, arena);
            long before = residentKib(pages);
            assumeTrue(Libc.require("a test").populate(pages), "a kernel before Linux 5.14");
            // The kernel may show it as one mapping with its neighbours.
            assertThat(residentKib(pages)).isGreaterThanOrEqualTo(before + (BYTES >> 10));
        }
    }

    /** The kernel raises the signal there that it raises for a huge page beyond the limit of a control group. */
    @Test
    void saysWhereAnAccessWouldEndTheProcess() throws Exception {
        Path path = directory.resolve("cut");
        Files.write(path, new byte[1 << 16]);
        try (Arena arena = Arena.ofShared();
                FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment mapped = file.map(MapMode.READ_WRITE, 0, 1 << 16, arena);
            file.truncate(0);
            assumeTrue(supported(), "a kernel before Linux 5.14");
            assertThatThrownBy(() -> Libc.require("a test").populate(mapped))
                    .isInstanceOf(Libc.CallFailed.class)
                    .hasMessageContaining("MADV_POPULATE_WRITE")
                    .hasMessageContaining("EFAULT");
        }
    }

    @Test
    void hugePagesAreThereOrTheReasonIs() throws Exception {
        try (MemorySlab slab = MemorySlab.allocateHuge(1)) {
            assertThat(slab.isHuge()).isEqualTo(slab.fallbackReason().isEmpty());
            slab.segment().fill((byte) 1);
        }
    }

    /** Without flags the pages are small, of which every system has some. */
    @Test
    void aSlabTakesItsPagesAtOnce() throws Exception {
        assumeTrue(supported(), "a kernel before Linux 5.14");
        try (MemorySlab slab = MemorySlab.allocateHuge(BYTES, 0)) {
            assertThat(slab.fallbackReason()).isEmpty();
            assertThat(residentKib(slab.segment())).isGreaterThanOrEqualTo(BYTES >> 10);
        }
    }

    @Test
    void aSlabOfBasePagesTakesThemAtOnceButASparseOne() throws Exception {
        try (MemorySlab slab = MemorySlab.allocate(BYTES);
                MemorySlab fallback = MemorySlab.allocateHuge(BYTES, REFUSED);
                MemorySlab small = MemorySlab.allocate(3);
                MemorySlab sparse = MemorySlab.allocateSparse(BYTES)) {
            assertThat(pagesThere(slab)).isEqualTo(BYTES / PageSize.BASE);
            assertThat(fallback.fallbackReason()).isPresent();
            assertThat(pagesThere(fallback)).isEqualTo(BYTES / PageSize.BASE);
            assertThat(pagesThere(small)).isEqualTo(1);
            assertThat(pagesThere(sparse)).isZero();
            assertThat(sparse.segment().get(ValueLayout.JAVA_BYTE, BYTES - 1)).isZero();
            slab.discard(0, BYTES);
            assertThat(pagesThere(slab)).isZero();
        }
    }

    /** By bit 63 of each page's entry: man 5 proc_pid_pagemap. */
    private static long pagesThere(MemorySlab slab) throws IOException {
        int pages = (int) PageSize.roundUp(slab.bytes(), PageSize.BASE) / (int) PageSize.BASE;
        ByteBuffer entries = ByteBuffer.allocate(pages * Long.BYTES).order(ByteOrder.nativeOrder());
        try (FileChannel map = FileChannel.open(Path.of("/proc/self/pagemap"), StandardOpenOption.READ)) {
            map.position(slab.segment().address() / PageSize.BASE * Long.BYTES);
            while (entries.hasRemaining()) {
                assertThat(map.read(entries)).isPositive();
            }
        }
        long there = 0;
        for (int page = 0; page < pages; page++) {
            there += entries.getLong(page * Long.BYTES) >>> 63;
        }
        return there;
    }

    private static boolean supported() throws Libc.CallFailed {
        try (Arena arena = Arena.ofShared()) {
            Libc libc = Libc.require("a test");
            return libc.populate(libc.mapAnonymous(PageSize.BASE, 0, arena));
        }
    }

    /** What /proc/self/smaps says of the mapping that begins at {@code pages}. */
    private static long residentKib(MemorySegment pages) throws IOException {
        boolean its = false;

        for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
            if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
                long start = Long.parseUnsignedLong(line.substring(0, line.indexOf('-')), 16);
                long end = Long.parseUnsignedLong(line.substring(line.indexOf('-') + 1, line.indexOf(' ')), 16);
                its = Long.compareUnsigned(start, pages.address()) <= 0
                        && Long.compareUnsigned(pages.address(), end) < 0;
            } else if (its && line.startsWith("Rss:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        throw new AssertionError("no mapping at " + pages);
    }
}
