package org.panamaverbs.ibverbs.zoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.DeviceInfo;
import org.panamaverbs.api.PortAttributes;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.ibverbs.zoo.Zoo.Sickness;
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
