package org.panamaverbs.ibverbs.zoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.AddressHandle;
import org.panamaverbs.api.AddressHandleConfig;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.outofband.OutOfBand;
import org.panamaverbs.api.cm.outofband.OutOfBandConfig;
import org.panamaverbs.api.cm.outofband.QueuePairEndpoint;
import org.panamaverbs.api.device.DeviceInfo;
import org.panamaverbs.api.device.Gid;
import org.panamaverbs.api.device.PortAttributes;
import org.panamaverbs.ibverbs.zoo.Zoo.Sickness;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Waits;

/** A device with sixteen ports that is late, dies and is taken out. */
@Timeout(60)
class SickOverZooTest {
    private static final int PORTS = 16;

    private final Zoo zoo = new Zoo.Sick();

    @BeforeEach
    void requireZoo() {
        assumeTrue(zoo.missing().isEmpty(), () -> zoo.missing().orElse(""));
    }

    @AfterEach
    void heal() {
        Zoo.sick(Sickness.WELL);
    }

    @Test
    void theOneOfSixteenPortsThatIsUpIsFound() {
        try (Verbs verbs = zoo.openA()) {
            assertThat(verbs.device().ports()).hasSize(PORTS);
            assertThat(verbs.device().ports().stream().filter(DeviceInfo.Port::active))
                    .singleElement()
                    .extracting(DeviceInfo.Port::number)
                    .isEqualTo(PORTS);
        }
    }

    @Test
    void outOfBandStaysOnThePortOfTheQueuePair() {
        try (Verbs verbs = zoo.openA();
                ProtectionDomain domain = verbs.protectionDomain();
                CompletionQueue queue = verbs.completionQueue(16);
                QueuePair queuePair = domain.queuePair(QueuePairConfig.of(domain, queue))) {
            OutOfBand outOfBand = OutOfBand.of(verbs, queuePair, OutOfBandConfig.defaults());
            QueuePairEndpoint own = outOfBand.endpoint();
            assertThat(outOfBand.path(own).port()).isEqualTo(PORTS);
            outOfBand.readyToReceive(own);
            assertThat(queuePair.query().port()).hasValue(PORTS);
        }
    }

    @Test
    void deviceThatIsLateIsOpenedAndItsPortIsAskedAnew() {
        Zoo.sick(Sickness.LATE);
        try (Verbs verbs = zoo.openA()) {
            assertThat(verbs.device().ports()).noneMatch(DeviceInfo.Port::active);
            Zoo.sick(Sickness.WELL);
            assertThat(verbs.port(PORTS).query().state()).isEqualTo(PortAttributes.State.ACTIVE);
        }
    }

    @Test
    void deviceThatDiesRefusesWithItsErrorNumber() {
        try (Verbs verbs = zoo.openA()) {
            Zoo.sick(Sickness.DIES);
            assertThatThrownBy(verbs::protectionDomain)
                    .isInstanceOf(ResourceException.class)
                    .hasMessageContaining("EIO");
            Zoo.sick(Sickness.WELL);
        }
    }

    /** Another device is opened meanwhile as ever, and who comes again for this one hears at once. */
    @Test
    void deviceThatHangsIsGivenUpOnce() {
        Zoo.sick(Sickness.HANGS);
        try {
            Background<Verbs> hung = Background.start("open", zoo::openA);
            try (Verbs other = new Zoo.Roce().openA()) {
                assertThat(other.device().name()).isEqualTo("roce0");
                assertThat(hung.isDone()).as("the hung one is still waited for").isFalse();
            }
            assertThatThrownBy(() -> hung.await(Waits.deadline()))
                    .isInstanceOf(ResourceException.class)
                    .hasMessageContainingAll("sick0", "ETIMEDOUT", "has not returned", "remedy: check dmesg");
            long before = System.nanoTime();
            assertThatThrownBy(zoo::openA).hasMessageContainingAll("sick0", "ETIMEDOUT");
            assertThat(System.nanoTime() - before).isLessThan(TimeUnit.SECONDS.toNanos(2));
        } finally {
            Zoo.sick(Sickness.WELL);
        }
        Deadline deadline = Waits.deadline();
        String opened = "";
        while (opened.isEmpty()) {
            try (Verbs verbs = zoo.openA()) {
                opened = verbs.device().name();
            } catch (ResourceException e) {
                assertThat(deadline.passed()).as(e.getMessage()).isFalse();
            }
        }
        assertThat(opened).isEqualTo("sick0");
    }

    /** Virtual threads keep their carriers, the domain stays open until the driver returns, and nothing is left. */
    @Test
    void addressHandleOfADeviceThatHangsIsGivenUp() {
        try (Verbs verbs = zoo.openA();
                ProtectionDomain domain = verbs.protectionDomain()) {
            AddressHandleConfig config = AddressHandleConfig.to(Gid.of(InetAddress.ofLiteral("fd00::9:b")))
                    .withPort(PORTS);
            domain.addressHandle(config).close();
            int objects = Zoo.objects();
            Zoo.sick(Sickness.HANGS);
            List<FutureTask<AddressHandle>> hung = Stream.generate(
                            () -> new FutureTask<>(() -> domain.addressHandle(config)))
                    .limit(Runtime.getRuntime().availableProcessors())
                    .toList();
            try {
                hung.forEach(Thread.ofVirtual()::start);
                FutureTask<Boolean> another = new FutureTask<>(() -> true);
                Thread.ofVirtual().start(another);
                assertThat(another).succeedsWithin(Duration.ofSeconds(2));
                assertThat(hung).noneMatch(FutureTask::isDone);
                for (FutureTask<AddressHandle> task : hung) {
                    assertThat(task)
                            .failsWithin(Duration.ofSeconds(10))
                            .withThrowableThat()
                            .havingCause()
                            .isInstanceOf(ResourceException.class)
                            .withMessageContainingAll("fd00::9:b", "ETIMEDOUT", "; remedy: check");
                }
                assertThatThrownBy(domain::close).hasMessageContaining("an address handle");
            } finally {
                Zoo.sick(Sickness.WELL);
            }
            Deadline deadline = Waits.deadline();
            while (Zoo.objects() > objects || !closes(domain)) {
                assertThat(deadline.passed()).as(domain + " closes").isFalse();
            }
        }
    }

    private static boolean closes(ProtectionDomain domain) {
        try {
            domain.close();
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    @Test
    void removalOfTheDeviceIsTold() {
        try (Verbs verbs = zoo.openA()) {
            Zoo.sick(Sickness.REMOVED);
            Optional<AsyncEvent> told = verbs.asyncEvent(Waits.deadline());
            assertThat(told.map(AsyncEvent::type)).contains(AsyncEvent.Type.DEVICE_FATAL);
            assertThatThrownBy(zoo::openA).isInstanceOf(IllegalArgumentException.class);
            Zoo.sick(Sickness.WELL); // it is closed as one that is there
        }
    }
}
