package org.panamaverbs.ibverbs.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.device.Availability;
import org.panamaverbs.api.device.Availability.Available;
import org.panamaverbs.api.device.Availability.Unavailable;
import org.panamaverbs.api.device.DeviceInfo;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.device.DeviceAvailability.Examined;
import org.panamaverbs.ibverbs.facts.Sysfs;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Waits;

/** Several adapters, some of which cannot be used. */
class ListedDevicesOverStubTest {
    // infiniband/verbs.h: enum ibv_port_state
    private static final int DOWN = 1;
    private static final int INIT = 2;
    private static final int ARMED = 3;

    @TempDir
    private Path files;

    private int objects;

    @BeforeAll
    static void stub() {
        Stub.require();
    }

    @BeforeEach
    void count() {
        objects = Stub.objects();
    }

    /** What hangs comes back then. */
    @AfterEach
    void listNone() {
        Stub.list(0);
        Stub.fail("", 0, 0);
        Stub.await(
                "what hung has come back",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("verbs-open-")));
        Stub.await("what came too late is closed", () -> Stub.objects() == objects);
    }

    /** A machine where nothing but devices can be in the way. */
    private Machine machine() throws IOException {
        Files.createFile(files.resolve("rdma_cm"));
        return new Machine(
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Sysfs.system(),
                files,
                file -> true,
                OptionalLong.empty());
    }

    private Available available(String device) throws IOException {
        return (Available) availability(DeviceAvailability.of(machine(), device));
    }

    private static Availability availability(Examined examined) {
        OpenedDevice device = examined.device();
        if (device != null) {
            device.close();
        }
        return examined.availability();
    }

    /** The others may hang, and each that is opened takes its time. */
    @Test
    void deviceThatIsNamedIsExaminedAlone() throws IOException {
        Stub.list(8);
        Stub.listed(0, 0, 2 * BoundedOpen.SECONDS * 1000, 0);
        long before = System.nanoTime();
        assertThat(available("stub5").devices()).extracting(DeviceInfo::name).containsExactly("stub5");
        assertThat(Stub.opens()).isOne();
        assertThat(System.nanoTime() - before).isLessThan(TimeUnit.SECONDS.toNanos(BoundedOpen.SECONDS));
    }

    /** Whoever names nothing wants to connect, and gets the provider that can. */
    @Test
    void withoutConnectionManagerADeviceIsThereForThoseWhoNameIt() throws IOException {
        Stub.list(1);
        Machine machine = machine();
        assertThat(availability(DeviceAvailability.forAnyUse(machine))).isInstanceOf(Available.class);
        Files.delete(files.resolve("rdma_cm"));
        Unavailable none = (Unavailable) availability(DeviceAvailability.forAnyUse(machine));
        assertThat(none.reason()).contains("connection manager", "rdma_cm");
        assertThat(none.remedy()).contains("modprobe rdma_ucm", "-Dverbs.provider=ibverbs");
        assertThat(availability(DeviceAvailability.of(machine, ""))).isInstanceOf(Available.class);
        assertThat(availability(DeviceAvailability.of(machine, "stub0"))).isInstanceOf(Available.class);
    }

    @Test
    void noMoreDevicesAreOpenedThanTheFirstThatCanBeUsed() throws IOException {
        Stub.list(8);
        Stub.listed(0, Errno.EPERM, 0, 0);
        Stub.listed(1, 0, 0, DOWN);
        assertThat(available("").devices()).extracting(DeviceInfo::name).containsExactly("stub2");
        assertThat(Stub.opens()).isEqualTo(3);
    }

    @Test
    void deviceThatHangsIsGivenUp() throws IOException {
        Stub.list(2);
        Stub.listed(0, 0, 2 * BoundedOpen.SECONDS * 1000, 0);
        Available all = (Available) availability(DeviceAvailability.of(machine(), "another"));
        assertThat(all.devices()).extracting(DeviceInfo::name).containsExactly("stub1");
        assertThat(all.unusable().get("stub0")).asString().contains("ETIMEDOUT", "does not answer");
        Stub.await("it is begun", () -> Stub.opens() == 2);
    }

    @Test
    void namedDeviceThatHangsIsGivenUp() throws IOException {
        Stub.list(2);
        Stub.listed(1, 0, 2 * BoundedOpen.WANTED_SECONDS * 1000, 0);
        assertThat(((Unavailable) availability(DeviceAvailability.of(machine(), "stub1"))).reason())
                .contains("stub1", "ETIMEDOUT");
        OpenConfig config = OpenConfig.provider("ibverbs").withDevice("stub1");
        assertThatThrownBy(() -> OpenedDevice.open(config))
                .isInstanceOf(ResourceException.class)
                .hasMessageContainingAll("stub1", "ETIMEDOUT", "has not returned");
    }

    /** Each open has its own time: one behind others of the same device must not fail for theirs. */
    @Test
    void deviceThatTakesItsTimeIsOpenedByManyAtOnce() {
        Stub.list(1);
        Stub.listed(0, 0, BoundedOpen.SECONDS * 1000 + 500, 0);
        OpenConfig config = OpenConfig.provider("ibverbs").withDevice("stub0");
        List<Background<OpenedDevice>> opens = Stream.generate(
                        () -> Background.start("open", () -> OpenedDevice.open(config)))
                .limit(8)
                .toList();
        for (Background<OpenedDevice> open : opens) {
            open.await(Waits.deadline()).close();
        }
    }

    /** Whoever opens devices again and again must not pay for it with time and a thread each. */
    @Test
    void deviceThatHangsHasOneThreadAndLaterOpensDoNotWaitForIt() {
        Stub.list(2);
        Stub.listed(0, 0, 8 * BoundedOpen.SECONDS * 1000, 0);
        assertThat(opened()).isEqualTo("stub1");
        int begun = Stub.opens();
        long before = System.nanoTime();
        assertThat(opened()).isEqualTo("stub1");
        assertThat(System.nanoTime() - before).isLessThan(TimeUnit.SECONDS.toNanos(BoundedOpen.SECONDS) / 2);
        assertThat(Stub.opens() - begun).as("opens of stub1 alone").isOne();
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().equals("verbs-open-stub0"))
                .hasSize(1);
    }

    @Test
    void deviceThatComesBackIsOpenedAgain() {
        Stub.list(2);
        Stub.listed(0, 0, BoundedOpen.SECONDS * 1000 + 500, 0);
        assertThat(opened()).isEqualTo("stub1");
        Stub.listed(0, 0, 0, 0);
        Stub.await("it is opened again", () -> opened().equals("stub0"));
    }

    /** Nothing could be made of it, whatever it says of itself. */
    @ParameterizedTest
    @CsvSource({"ibv_alloc_pd, 4", "ibv_create_cq, 6"})
    void deviceThatMakesNoDomainOrQueueIsPassedOver(String call, int index) {
        Stub.list(8);
        for (int i = 0; i < index; i++) {
            Stub.listed(i, Errno.EPERM, 0, 0);
        }
        Stub.fail(call, Errno.EIO, 1);
        assertThat(opened()).isEqualTo("stub" + (index + 1));
        assertThat(opened()).as("once it is well").isEqualTo("stub" + index);
    }

    @ParameterizedTest
    @ValueSource(ints = {INIT, ARMED})
    void portThatIsAboutToBeActiveCanBeWaitedFor(int state) throws IOException {
        Stub.list(2);
        Stub.listed(1, 0, 0, state);
        Available answer = available("stub1");
        assertThat(answer.devices()).extracting(DeviceInfo::name).containsExactly("stub1");
        assertThat(answer.why()).contains("no port active yet");
    }

    /** A port without a link needs somebody to plug it in first. */
    @Test
    void portThatIsDownIsNone() throws IOException {
        Stub.list(1);
        Stub.listed(0, 0, 0, DOWN);
        assertThat(((Unavailable) availability(DeviceAvailability.of(machine(), "stub0"))).reason())
                .isEqualTo("device stub0 has no active port");
    }

    private static String opened() {
        try (OpenedDevice device = OpenedDevice.open(OpenConfig.provider("ibverbs"))) {
            return device.name();
        }
    }

    @Test
    void deviceThatCannotBeOpenedIsPassedOver() {
        Stub.list(3);
        Stub.listed(0, Errno.EPERM, 0, 0);
        Stub.listed(1, 0, 0, DOWN);
        assertThat(opened()).isEqualTo("stub2");
    }

    @Test
    void firstOfThoseWithoutAnActivePortIsOpened() {
        Stub.list(3);
        Stub.listed(0, Errno.EPERM, 0, 0);
        Stub.listed(1, 0, 0, DOWN);
        Stub.listed(2, 0, 0, DOWN);
        assertThat(opened()).isEqualTo("stub1");
    }

    @Test
    void failureIsThatOfTheFirstWhereNoneCanBeOpened() {
        Stub.list(2);
        Stub.listed(0, Errno.EPERM, 0, 0);
        Stub.listed(1, Errno.ENODEV, 0, 0);
        assertThatThrownBy(ListedDevicesOverStubTest::opened)
                .isInstanceOf(ResourceException.class)
                .hasMessageContainingAll("stub0", "EPERM")
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    }
}
