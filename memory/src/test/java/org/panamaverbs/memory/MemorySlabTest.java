package org.panamaverbs.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class MemorySlabTest {
    @Test
    void allocatesZeroedPages() {
        try (MemorySlab slab = MemorySlab.allocate(10_001)) {
            assertThat(slab.bytes()).isEqualTo(10_001);
            assertThat(slab.pageBytes()).isGreaterThanOrEqualTo(4096);
            assertThat(Long.bitCount(slab.pageBytes())).isEqualTo(1);
            assertThat(slab.segment().address() % slab.pageBytes()).isZero();
            assertThat(slab.segment().mismatch(MemorySegment.ofArray(new byte[10_001])))
                    .isEqualTo(-1);
            assertThat(slab.isHuge()).isFalse();
            assertThat(slab.fallbackReason()).isEmpty();
            assertThatThrownBy(slab::fileDescriptor).isInstanceOf(UnsupportedOperationException.class);
            RegistrationChecks.requireShareable(slab.segment());
        }
    }

    @Test
    void givesBackTheWholePagesOfARange() {
        assumeTrue(Libc.unavailable().isEmpty(), "no libc to call");
        long page = PageSize.BASE;
        try (MemorySlab slab = MemorySlab.allocate(4 * page)) {
            slab.segment().fill((byte) 7);
            slab.discard(page - 1, page + 2);
            for (long at = 0; at < 4 * page; at++) {
                byte expected = (byte) (at >= page && at < 2 * page ? 0 : 7);
                assertThat(slab.segment().get(ValueLayout.JAVA_BYTE, at)).isEqualTo(expected);
            }
            slab.discard(4 * page, 0);
            assertThatThrownBy(() -> slab.discard(page, 4 * page)).isInstanceOf(IndexOutOfBoundsException.class);
        }
        try (MemorySlab shared = MemorySlab.shared("panama-verbs test", 2 * page)) {
            shared.segment().fill((byte) 7);
            shared.discard(0, 2 * page);
            assertThat(shared.segment().get(ValueLayout.JAVA_BYTE, page)).isEqualTo((byte) 7);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void knowsThePageSizeOfTheKernel() throws IOException, InterruptedException {
        Process getconf = new ProcessBuilder("getconf", "PAGESIZE").start();
        String pageBytes = new String(getconf.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(getconf.waitFor()).isZero();
        assertThat(PageSize.BASE).isEqualTo(Long.parseLong(pageBytes.strip()));
    }

    @Test
    void refusesUseAfterClose() {
        MemorySlab slab = MemorySlab.allocate(64);
        MemorySegment segment = slab.segment();
        slab.close();
        slab.close();
        assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
        assertThat(slab.isOpen()).isFalse();
        assertThat(MemorySlab.containing(segment)).isNull();
    }

    @Test
    void refusesMoreThanThereIs() {
        assertThatThrownBy(() -> MemorySlab.allocate(Long.MAX_VALUE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("too large");
        assertThatThrownBy(() -> MemorySlab.allocate(1L << 60)).isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void staysOpenWhileANativeCallUsesIt() throws Throwable {
        MemorySlab slab = MemorySlab.allocate(64);
        List<String> refusals = new ArrayList<>();
        MethodHandle compare = MethodHandles.lookup()
                .findStatic(
                        MemorySlabTest.class,
                        "closeAndCompare",
                        MethodType.methodType(
                                int.class, MemorySlab.class, List.class, MemorySegment.class, MemorySegment.class));
        try (Arena arena = Arena.ofConfined()) {
            Linker linker = Linker.nativeLinker();
            MemorySegment comparator = linker.upcallStub(
                    MethodHandles.insertArguments(compare, 0, slab, refusals),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS),
                    arena);
            MethodHandle qsort = linker.downcallHandle(
                    linker.defaultLookup().find("qsort").orElseThrow(),
                    FunctionDescriptor.ofVoid(
                            ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
            qsort.invokeExact(slab.segment(), 2L, 4L, comparator);
        }
        assertThat(refusals)
                .isNotEmpty()
                .allMatch(("Cannot close " + slab.resourceName() + ": a call in progress uses its memory")::equals);
        assertThat(slab.isOpen()).isTrue();
        slab.close();
        assertThat(slab.isOpen()).isFalse();
    }

    @SuppressWarnings("UnusedMethod") // Called by qsort.
    private static int closeAndCompare(
            MemorySlab slab, List<String> refusals, MemorySegment first, MemorySegment second) {
        try {
            slab.close();
            refusals.add("none: closed");
        } catch (IllegalStateException e) {
            refusals.add(String.valueOf(e.getMessage()));
        }
        return Long.compareUnsigned(first.address(), second.address());
    }

    @Test
    void findsTheSlabOfASegment() {
        try (MemorySlab slab = MemorySlab.allocate(4096);
                Arena arena = Arena.ofShared()) {
            assertThat(MemorySlab.containing(slab.segment().asSlice(64, 8))).isSameAs(slab);
            assertThat(MemorySlab.containing(slab.segment().asReadOnly())).isSameAs(slab);
            assertThat(MemorySlab.containing(arena.allocate(8))).isNull();
            assertThat(MemorySlab.containing(MemorySegment.NULL)).isNull();
        }
    }

    @Test
    void givesHugePagesOrSaysWhyNot() {
        try (MemorySlab slab = MemorySlab.allocateHuge(5_000_000)) {
            assertThat(slab.bytes()).isEqualTo(5_000_000);
            assertThat(slab.segment().address() % slab.pageBytes()).isZero();
            assertThat(slab.segment().get(ValueLayout.JAVA_BYTE, 4_999_999)).isZero();
            slab.segment().fill((byte) 1);
            if (slab.isHuge()) {
                assertThat(slab.fallbackReason()).isEmpty();
                assertThat(slab.pageBytes()).isEqualTo(PageSize.huge());
            } else {
                assertThat(slab.pageBytes()).isEqualTo(PageSize.BASE);
                assertThat(slab.fallbackReason()).isPresent();
            }
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void fallsBackWhenThereAreNotEnoughHugePages() {
        // More than the processor can address, so that it cannot be had anywhere; base pages are refused alike.
        assertThatThrownBy(() -> MemorySlab.allocateHuge(1L << 60)).isInstanceOf(OutOfMemoryError.class);
        try (Arena arena = Arena.ofShared()) {
            Libc libc = Libc.require("test");
            assertThatThrownBy(() -> libc.mapAnonymous(1L << 60, Libc.MAP_HUGETLB, arena))
                    .isInstanceOf(Libc.CallFailed.class)
                    .hasMessage(
                            "mmap of 1152921504606846976 bytes failed: ENOMEM (12): out of memory, or over the memlock limit");
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void namesTheRemedyWithoutHugePages() throws IOException {
        assumeTrue(
                Files.readString(Path.of("/proc/sys/vm/nr_hugepages")).strip().equals("0"),
                "this machine has huge pages reserved");
        try (MemorySlab slab = MemorySlab.allocateHuge(3 << 20)) {
            assertThat(slab.isHuge()).isFalse();
            assertThat(slab.fallbackReason().orElseThrow())
                    .contains("mmap of")
                    .contains("ENOMEM")
                    .contains("sysctl -w vm.nr_hugepages=");
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void unmapsWhatItMapped() throws Exception {
        Arena arena = Arena.ofShared();
        MemorySegment pages = Libc.require("test").mapAnonymous(1 << 20, 0, arena);
        pages.fill((byte) 7);
        String first = Long.toHexString(pages.address());
        assertThat(addressesMapped()).anyMatch(range -> contains(range, pages.address()));
        arena.close();
        assertThat(addressesMapped()).as("mapping at " + first).noneMatch(range -> contains(range, pages.address()));
    }

    private static List<String> addressesMapped() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/maps"));
    }

    private static boolean contains(String mapsLine, long address) {
        String[] range = mapsLine.substring(0, mapsLine.indexOf(' ')).split("-", 2);
        return Long.compareUnsigned(Long.parseUnsignedLong(range[0], 16), address) <= 0
                && Long.compareUnsigned(address, Long.parseUnsignedLong(range[1], 16)) < 0;
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void worksWithoutNativeAccessAndNamesTheFlag() throws InterruptedException {
        assumeTrue(Runtime.version().feature() >= 24, "native access cannot be denied before JDK 24");
        ChildJvm.Result result = ChildJvm.run(DeniedNativeAccess.class, List.of("--illegal-native-access=deny"));
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output())
                .contains("plain: 4096")
                .contains("huge: false, Huge pages are not available: native access is denied; remedy: start java"
                        + " with --enable-native-access=ALL-UNNAMED")
                .contains("shared: Shared memory is not available: native access is denied; remedy: start java with"
                        + " --enable-native-access=ALL-UNNAMED");
    }

    @Test
    void mapsAPartOfAFile(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("data");
        long page = PageSize.BASE;
        Files.write(file, new byte[(int) (2 * page)]);
        try (MemorySlab slab = MemorySlab.map(file, page, 100, true)) {
            assertThat(slab.bytes()).isEqualTo(100);
            assertThat(slab.segment().address() % slab.pageBytes()).isZero();
            slab.segment().set(ValueLayout.JAVA_BYTE, 99, (byte) 42);
        }
        assertThat(Files.readAllBytes(file)[(int) page + 99]).isEqualTo((byte) 42);

        try (MemorySlab readOnly = MemorySlab.map(file, page, page, false)) {
            assertThat(readOnly.segment().isReadOnly()).isTrue();
            assertThat(readOnly.segment().get(ValueLayout.JAVA_BYTE, 99)).isEqualTo((byte) 42);
            RegistrationChecks.requireRegistrable(readOnly.segment(), Access.REMOTE_READ.bit());
        }
    }

    @Test
    void registersMappedFilesLikeOtherMemory(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("data");
        Files.write(file, new byte[4096]);
        TestDomain domain = new TestDomain();
        try (MemorySlab slab = MemorySlab.map(file, 0, 4096, true)) {
            try (RegisteredBuffer buffer = domain.register(slab.segment())) {
                buffer.atomicTarget(8).setRelease(5);
                assertThatThrownBy(slab::close).isInstanceOf(IllegalStateException.class);
            }
        }
        domain.close();
        assertThat(Files.readAllBytes(file)).contains(5);
    }

    @Test
    void refusesPartsThatAreNotInTheFile(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("data");
        Files.write(file, new byte[100]);
        for (boolean writable : new boolean[] {true, false}) {
            assertThatThrownBy(() -> MemorySlab.map(file, 0, 101, writable))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("has only 100");
            assertThatThrownBy(() -> MemorySlab.map(file, PageSize.BASE, Long.MAX_VALUE, writable))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(Files.size(file)).as("not extended").isEqualTo(100);
        assertThatThrownBy(() -> MemorySlab.map(file, 1, 10, true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("multiple of the page size");
        assertThatThrownBy(() -> MemorySlab.map(file, -PageSize.BASE, 10, true))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> MemorySlab.map(file, 0, 0, true)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> MemorySlab.map(directory.resolve("none"), 0, 10, true))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("none");
    }
}
