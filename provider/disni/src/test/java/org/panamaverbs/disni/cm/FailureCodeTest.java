package org.panamaverbs.disni.cm;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.ResourceException;

/** Failures of verbs as events of librdmacm. */
class FailureCodeTest {
    @ParameterizedTest
    @CsvSource({"13, -13", "24, -24", "0, -22"})
    void lackHasTheErrorNumberOfTheSystem(int errno, int status) {
        assertThat(FailureCode.of(new ResourceException("connect", "of a test", errno)))
                .isEqualTo(new FailureCode(EventType.RDMA_CM_EVENT_CONNECT_ERROR, status));
    }
}
