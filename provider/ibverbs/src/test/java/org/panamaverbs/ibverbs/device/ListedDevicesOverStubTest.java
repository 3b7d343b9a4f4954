package org.panamaverbs.ibverbs.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.stub.Stub;

/** Several adapters, some of which cannot be used. */
class ListedDevicesOverStubTest {
    // infiniband/verbs.h: enum ibv_port_state
    private static final int DOWN = 1;

    @BeforeAll
    static void stub() {
        Stub.require();
    }

    @AfterEach
    void listNone() {
        Stub.list(0);
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
