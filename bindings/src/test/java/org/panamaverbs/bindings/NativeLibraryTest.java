package org.panamaverbs.bindings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.bindings.ibverbs.Ibverbs;
import org.panamaverbs.bindings.libc.Libc;

class NativeLibraryTest {
    private static final String TRIPLET =
            Architecture.CURRENT == Architecture.AARCH64 ? "aarch64-linux-gnu" : "x86_64-linux-gnu";

    private static final List<Path> LIBRARY_DIRECTORIES =
            List.of(Path.of("/lib", TRIPLET), Path.of("/usr/lib", TRIPLET), Path.of("/usr/lib64"));

    private static final String DENY =
            Runtime.version().feature() >= 24 ? "--illegal-native-access=deny" : "--enable-native-access=java.logging";

    private static final String GRANT = "--enable-native-access=org.panamaverbs.bindings";

    static List<NativeLibrary> libraries() {
        return List.of(NativeLibrary.IBVERBS, NativeLibrary.RDMACM, NativeLibrary.LIBC);
    }

    static List<Arguments> headers() {
        return List.of(
                arguments(NativeLibrary.IBVERBS, BoundHeader.IBVERBS),
                arguments(NativeLibrary.RDMACM, BoundHeader.RDMACM),
                arguments(NativeLibrary.LIBC, BoundHeader.LIBC));
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void isPresentWhereItsFileIsInstalled(NativeLibrary library) {
        assumeInstalled(library);

        assertThat(library.absence()).isEmpty();
        assertThat(library.isPresent()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void findsNoSymbolThatIsNotThere(NativeLibrary library) {
        assertThat(library.lookup().find("panama_verbs_has_no_such_symbol")).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("headers")
    void exportsEveryFunctionOfItsIncludeList(NativeLibrary library, BoundHeader header) throws Exception {
        assumeInstalled(library);

        List<String> functions = header.list(Path.of("src", "jextract")).functions();

        assertThat(functions)
                .isNotEmpty()
                .allMatch(name -> library.lookup().find(name).isPresent());
    }

    @Test
    void listsDevicesOrReportsThatTheKernelHasNoRdma() throws Throwable {
        assumeInstalled(NativeLibrary.IBVERBS);
        var getDeviceList = Linker.nativeLinker()
                .downcallHandle(
                        Ibverbs.ibv_get_device_list$address(),
                        Ibverbs.ibv_get_device_list$descriptor(),
                        Errno.capture());

        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Errno.CAPTURE_LAYOUT);
            MemorySegment count = arena.allocateFrom(ValueLayout.JAVA_INT, -1);
            MemorySegment devices = (MemorySegment) getDeviceList.invokeExact(state, count);

            if (devices.address() == 0) {
                assertThat(Errno.name(Errno.captured(state))).isIn("ENOSYS", "EPERM", "EACCES");
            } else {
                assertThat(count.get(ValueLayout.JAVA_INT, 0)).isNotNegative();
                Ibverbs.ibv_free_device_list(devices);
            }
        }
    }

    @Test
    void capturesErrnoOfFailedCalls() throws Throwable {
        assumeInstalled(NativeLibrary.LIBC);
        var close =
                Linker.nativeLinker().downcallHandle(Libc.close$address(), Libc.close$descriptor(), Errno.capture());

        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Errno.CAPTURE_LAYOUT);
            int result = (int) close.invokeExact(state, -1);

            assertThat(result).isEqualTo(-1);
            assertThat(Errno.describe(Errno.captured(state))).isEqualTo("EBADF (9): not an open file descriptor");
        }
    }

    @Test
    void absentLibraryLeavesConstantsLayoutsAndOtherLibrariesAlone() throws Exception {
        assumeInstalled(NativeLibrary.LIBC);

        var report = ProbeJvm.onModulePath(
                GRANT, "-Dverbs.libibverbs=libdoesnotexist.so", "-Dverbs.librdmacm=libabsent.so.1");

        assertFacts(report);
        assertThat(report.get("ibverbs.present")).isEqualTo("false");
        assertThat(report.get("ibverbs.absence"))
                .isEqualTo(
                        "libdoesnotexist.so not found; remedy: correct or remove -Dverbs.libibverbs, which names it, "
                                + "or apt install libibverbs1 (Debian, Ubuntu) / dnf install libibverbs (RHEL, Fedora)");
        assertThat(report.get("ibverbs.find")).isEqualTo("false");
        assertThat(report.get("ibverbs.call")).isEqualTo("UnsatisfiedLinkError");
        assertThat(report.get("ibverbs.constantAfterCall")).isEqualTo("2");
        assertThat(report.get("rdmacm.absence")).startsWith("libabsent.so.1 not found; remedy: ");
        assertThat(report.get("libc.present")).isEqualTo("true");
        assertThat(report.get("libc.find")).isEqualTo("true");
        assertThat(report.get("flag")).isEqualTo("none");
    }

    @Test
    void missingRdmacmDoesNotTakeIbverbsDown() throws Exception {
        assumeInstalled(NativeLibrary.IBVERBS);

        var report = ProbeJvm.onModulePath(GRANT, "-Dverbs.librdmacm=libabsent.so.1", "-Dverbs.libibverbs=");

        assertThat(report.get("rdmacm.present")).isEqualTo("false");
        assertThat(report.get("rdmacm.find")).isEqualTo("false");
        assertThat(report.get("ibverbs.present")).isEqualTo("true");
        assertThat(report.get("ibverbs.call")).isEqualTo("success");
    }

    @Test
    void fileThatIsNoLibraryIsReportedWithTheLinkersReason(@TempDir Path directory) throws Exception {
        assumeInstalled(NativeLibrary.LIBC);
        Path file = Files.writeString(directory.resolve("libibverbs.so.1"), "not an object file");

        var report = ProbeJvm.onModulePath(GRANT, "-Dverbs.libibverbs=" + file);

        assertThat(report.get("ibverbs.absence"))
                .startsWith(file + " cannot be opened (" + file + ": ")
                .contains("-Dverbs.libibverbs");
    }

    @Test
    void missingDefaultLibraryIsAnsweredWithPackageNames() {
        String error = new DynamicLinker().openError("libibverbs.so.4711");

        assertThat(DynamicLinker.saysFileIsMissing(error, "libibverbs.so.4711")).isTrue();
        assertThat(NativeLibrary.IBVERBS.explain("libibverbs.so.1", "libibverbs.so.1: x: No such file or directory"))
                .isEqualTo("libibverbs.so.1 not found; remedy: "
                        + "apt install libibverbs1 (Debian, Ubuntu) / dnf install libibverbs (RHEL, Fedora)");
    }

    @Test
    void deniedNativeAccessNamesTheModuleInTheFlag() throws Exception {
        var report = ProbeJvm.onModulePath(DENY);

        assertFacts(report);
        for (String library : List.of("ibverbs", "rdmacm", "libc")) {
            assertThat(report.get(library + ".absence"))
                    .isEqualTo("native access is denied to module org.panamaverbs.bindings; remedy: start java with "
                            + "--enable-native-access=org.panamaverbs.bindings");
        }
        assertThat(report.get("flag")).isEqualTo("--enable-native-access=org.panamaverbs.bindings");
        assertThat(report.get("ibverbs.call")).isEqualTo("UnsatisfiedLinkError");
    }

    @Test
    void deniedNativeAccessOnTheClassPathNamesAllUnnamed() throws Exception {
        var report = ProbeJvm.onClassPath(DENY);

        assertFacts(report);
        assertThat(report.get("ibverbs.absence"))
                .isEqualTo("native access is denied to the class path; remedy: start java with "
                        + "--enable-native-access=ALL-UNNAMED");
    }

    @Test
    void allowedWithAWarningIsPresentAndNamesTheMissingFlag() throws Exception {
        assumeInstalled(NativeLibrary.LIBC);

        var report = ProbeJvm.onClassPath();

        assertThat(report.get("libc.present")).isEqualTo("true");
        assertThat(report.get("flag")).isEqualTo("--enable-native-access=ALL-UNNAMED");
    }

    @ParameterizedTest
    @ValueSource(strings = {"amd64", "x86_64", "aarch64"})
    void takesArchitecturesWhoseLayoutsAreKnown(String osArch) {
        assertThat(NativePlatform.verbsMismatch("Linux", osArch)).isEmpty();
        assertThat(NativePlatform.libcMismatch("Linux", osArch)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"riscv64", "ppc64le", "s390x"})
    void saysWhatWorksOnOtherArchitectures(String osArch) throws Exception {
        var report = ProbeJvm.onClassPath("--enable-native-access=ALL-UNNAMED", "-Dos.arch=" + osArch);

        assertThat(report.get("ibverbs.constant")).isEqualTo("4");
        assertThat(report.get("libc.layout")).isEqualTo("16");
        assertThat(report.get("ibverbs.absence"))
                .isEqualTo("libibverbs.so.1 is not usable here: libibverbs and librdmacm are supported on "
                        + "x86-64 and aarch64 only, and this machine is " + osArch + "; remedy: use provider iwarp "
                        + "(-Dverbs.provider=iwarp), which runs here over java.nio");
        assertThat(report.get("libc.absence"))
                .isEqualTo("libc.so.6 is not usable here: system calls are supported for Linux on x86-64 and "
                        + "aarch64 only, and this is Linux on " + osArch + "; remedy: set option sockets=nio");
        assertThat(report.get("ibverbs.call")).isEqualTo("UnsatisfiedLinkError");
    }

    @Test
    void refusesOtherSystems() {
        assertThat(NativePlatform.verbsMismatch("Mac OS X", "aarch64"))
                .hasValueSatisfying(
                        text -> assertThat(text).contains("Linux only", "Mac OS X", "-Dverbs.provider=iwarp"));
        assertThat(NativePlatform.libcMismatch("Mac OS X", "aarch64"))
                .hasValueSatisfying(text -> assertThat(text).contains("Linux", "Mac OS X on aarch64", "sockets=nio"));
    }

    private static void assertFacts(ProbeJvm.Report report) {
        assertThat(report.get("ibverbs.constant")).isEqualTo("4");
        assertThat(report.get("ibverbs.layout")).isEqualTo("48");
        assertThat(report.get("rdmacm.constant")).isEqualTo("9");
        assertThat(report.get("rdmacm.layout")).isEqualTo("true");
        assertThat(report.get("libc.constant")).isEqualTo("1");
        assertThat(report.get("libc.layout")).isEqualTo(Architecture.CURRENT.isEpollEventPacked() ? "12" : "16");
    }

    private static void assumeInstalled(NativeLibrary library) {
        boolean installed =
                LIBRARY_DIRECTORIES.stream().anyMatch(directory -> Files.exists(directory.resolve(library.fileName())));
        if (!installed) {
            System.out.println("skipped: " + library.fileName() + " is in none of " + LIBRARY_DIRECTORIES);
        }
        assumeTrue(installed, library.fileName() + " is not installed");
    }
}
