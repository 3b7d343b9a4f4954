package org.panamaverbs.ibverbs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.bindings.NativeLibrary;
import org.panamaverbs.bindings.rdmacm.Rdmacm;
import org.panamaverbs.ibverbs.call.Call;
import org.panamaverbs.testkit.Waits;

/** Commands that change network interfaces and RDMA links, as root in the lab's machine alone. */
final class LabCommands {
    private static final Call GET_DEVICES =
            Call.of(NativeLibrary.RDMACM, "rdma_get_devices", Rdmacm::rdma_get_devices$descriptor);
    private static final Call FREE_DEVICES =
            Call.of(NativeLibrary.RDMACM, "rdma_free_devices", Rdmacm::rdma_free_devices$descriptor);

    private LabCommands() {}

    /** A command that was started. */
    record Running(String line, Process process) {}

    /** Skips the test anywhere else: elsewhere links are not a test's to change. */
    static void requireLab() {
        // Of provider/lab/conformance.
        Assumptions.assumeTrue(System.getProperty("suite.hung") != null, "links are changed in the lab alone");
    }

    /** Skips the test where Linux is another than it was tried on: what its drivers do then is not known. */
    static void requireTriedLinux() {
        Assumptions.assumeFalse(
                KernelRelease.current().isAtLeast(6, 12),
                "what goes away under rxe and siw was tried on Linux 6.1 alone");
    }

    /** Runs a command that has to succeed. */
    static void run(String... command) throws IOException, InterruptedException {
        succeeds(start(command));
    }

    /** Starts a command that has to succeed, as {@link #succeeds} says later. */
    static Running start(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        return new Running(String.join(" ", command), process);
    }

    /** Fails unless {@code command} ends with success before the deadline of tests; what hangs is left behind. */
    static void succeeds(Running command) throws IOException, InterruptedException {
        Process process = command.process();
        assertThat(process.waitFor(Waits.deadline().remainingNanos(), NANOSECONDS))
                .as("%s ends in time", command.line())
                .isTrue();
        try (InputStream output = process.getInputStream()) {
            String said = new String(output.readAllBytes(), UTF_8);
            assertThat(process.exitValue()).as("%s: %s", command.line(), said).isZero();
        }
    }

    /**
     * Starts to remove {@code device}, for {@link #succeeds}; returns when the system offers it to nobody any more. Of
     * the drivers rxe and siw it waits for all who have it open.
     */
    static Running startRemoval(String device) throws IOException {
        Running removal = start("rdma", "link", "del", device);
        Deadline deadline = Waits.deadline();
        while (isOffered(device)) {
            assertThat(deadline.passed()).as("%s is offered still", device).isFalse();
            Thread.yield();
        }
        return removal;
    }

    private static boolean isOffered(String device) throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/sys/class/infiniband_verbs"))) {
            return all.map(each -> each.resolve("ibdev")).anyMatch(named -> isNamed(named, device));
        }
    }

    private static boolean isNamed(Path named, String device) {
        try {
            return Files.readString(named).strip().equals(device);
        } catch (IOException e) {
            return false; // the file of no device, or of one that has just gone
        }
    }

    /**
     * Has librdmacm look which devices there are. It opens each that an id of it was bound to once more for itself, and
     * closes that when it looks and the device is gone: rdma-core's librdmacm/cma.c, sync_devices_list().
     */
    static void haveLibrdmacmLook() {
        FREE_DEVICES.run(GET_DEVICES.pointer("the devices", MemorySegment.NULL));
    }

    /** Returns how many descriptors this process has of devices, their events, and the connection manager. */
    static long descriptors() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.filter(LabCommands::isOfDevices).count();
        }
    }

    private static boolean isOfDevices(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().contains("infiniband");
        } catch (IOException e) {
            return false; // of the listing itself, which is closed by now
        }
    }
}
