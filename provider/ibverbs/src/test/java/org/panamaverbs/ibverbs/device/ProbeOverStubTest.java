package org.panamaverbs.ibverbs.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.stub.Stub;

/** What a device says it does not have is remembered; what it could not do just now is not. */
class ProbeOverStubTest {
    private static final int EPROTONOSUPPORT = 93; // asm-generic/errno.h

    private MemorySegment context;

    @BeforeAll
    static void stub() {
        Stub.require();
    }

    @BeforeEach
    void open() {
        context = IbvCalls.OPEN_DEVICE.pointer("the stub", MemorySegment.NULL);
    }

    @AfterEach
    void close() {
        Stub.fail("", 0, 0);
        Stub.inlineRefusal(0);
        IbvCalls.CLOSE_DEVICE.check("the stub", context);
    }

    @ParameterizedTest
    @CsvSource({
        "ibv_create_qp, 12", // ENOMEM
        "ibv_create_qp, 11", // EAGAIN
        "ibv_create_qp, 24", // EMFILE
        "ibv_create_cq_ex, 12",
        "ibv_create_cq_ex, 24",
        "ibv_resize_cq, 12",
        "ibv_resize_cq, 23", // ENFILE
        "ibv_reg_dmabuf_mr, 12",
        "ibv_alloc_null_mr, 12",
        "ibv_alloc_td, 24",
        "ibv_alloc_parent_domain, 12",
        "ibv_create_qp_ex, 12"
    })
    void wantOfResourcesIsNeitherAbsenceNorRemembered(String call, int errno) {
        String key = "want of resources " + call + errno;
        int before = Stub.objects();
        Stub.fail(call, errno, 1);
        assertThatThrownBy(() -> Trial.of(key, context))
                .isInstanceOfSatisfying(
                        ResourceException.class, e -> assertThat(e.errno()).isEqualTo(errno))
                .hasMessageContaining(call);
        Probe found = Trial.of(key, context);
        assertThat(found.types()).contains(QueuePairType.RC);
        assertThat(found.resizesCq()).isTrue();
        assertThat(found.extended()).contains(Feature.EXTENDED_CQ);
        assertThat(Stub.objects()).isEqualTo(before);
    }

    @Test
    void wantOfFilesIsNotTakenForTooMuchInlineData() {
        Stub.inlineRefusal(Errno.EMFILE);
        assertThatThrownBy(() -> Trial.of("no files for inline", context))
                .isInstanceOfSatisfying(
                        ResourceException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EMFILE));
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.EINVAL, Errno.ENOMEM})
    void inlineDataOfTheDeviceAreFoundThoughItSaysWantOfMemoryToMore(int errno) {
        Stub.inlineRefusal(errno);
        assertThat(Trial.of("inline " + errno, context).maxInlineBytes()).isEqualTo(Stub.INLINE_BYTES);
    }

    @Test
    void inlineDataAreTriedOfEachType() {
        Stub.inlineRefusal(Errno.EINVAL);
        assertThat(Trial.of("inline of each", context).inlineBytes())
                .containsEntry(QueuePairType.RC, Stub.INLINE_BYTES)
                .containsEntry(QueuePairType.UC, Stub.INLINE_BYTES)
                .containsEntry(QueuePairType.UD, Stub.INLINE_BYTES - Stub.UD_ADDRESS_BYTES);
    }

    @Test
    void deviceWithoutReliableConnectionsTakesInlineDataInOthers() {
        Stub.fail("ibv_create_qp", Errno.EOPNOTSUPP, 1);
        Probe found = Trial.of("inline without RC", context);
        assertThat(found.types()).doesNotContain(QueuePairType.RC).contains(QueuePairType.UD);
        assertThat(found.maxInlineBytes()).isPositive();
    }

    @Test
    void answerOfNoKnownMeaningIsNotRemembered() {
        Stub.fail("ibv_create_qp", Errno.EPROTO, 1);
        assertThat(Trial.of("unknown", context).types()).doesNotContain(QueuePairType.RC);
        assertThat(Trial.of("unknown", context).types()).contains(QueuePairType.RC);
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.EINVAL, Errno.EOPNOTSUPP, Errno.ENOSYS, EPROTONOSUPPORT})
    void absenceIsRemembered(int errno) {
        Stub.fail("ibv_create_qp", errno, 1);
        assertThat(Trial.of("absent " + errno, context).types())
                .doesNotContain(QueuePairType.RC)
                .contains(QueuePairType.UD);
        assertThat(Trial.of("absent " + errno, context).types()).doesNotContain(QueuePairType.RC);
    }

    @ParameterizedTest
    @CsvSource({
        "ibv_query_rt_values_ex, RAW_CLOCK",
        "ibv_alloc_null_mr, NULL_REGION",
        "ibv_alloc_td, PARENT_DOMAIN",
        "ibv_alloc_parent_domain, PARENT_DOMAIN",
        "ibv_create_qp_ex, ATOMIC_WRITE",
        "ibv_create_counters, FLOW_COUNTERS"
    })
    void objectsThatFewDevicesHaveAreTried(String call, Feature feature) {
        int before = Stub.objects();
        assertThat(Trial.of("with " + call, context).extended())
                .contains(
                        Feature.RAW_CLOCK,
                        Feature.NULL_REGION,
                        Feature.PARENT_DOMAIN,
                        Feature.ATOMIC_WRITE,
                        Feature.FLUSH);
        Stub.fail(call, Errno.EOPNOTSUPP, 1);
        assertThat(Trial.of("without " + call, context).extended()).doesNotContain(feature);
        assertThat(Stub.objects()).isEqualTo(before);
    }

    @Test
    void rawPacketsThatAreForbiddenAreAbsentAndRemembered() {
        int before = 3; // RC, UC and UD are made
        Stub.failAfter(before, "ibv_create_qp", Errno.EPERM);
        assertThat(Trial.of("forbidden", context).types())
                .contains(QueuePairType.UD)
                .doesNotContain(QueuePairType.RAW_PACKET);
        assertThat(Trial.of("forbidden", context).types()).doesNotContain(QueuePairType.RAW_PACKET);
        assertThat(Trial.of("forbidden", context).forbidsRaw()).isTrue();
        assertThat(Trial.of("allowed", context).types()).contains(QueuePairType.RAW_PACKET);
        assertThat(Trial.of("allowed", context).forbidsRaw()).isFalse();
    }

    @Test
    void resizeThatFailsOnceIsTriedAgain() {
        Stub.fail("ibv_resize_cq", Errno.EPROTO, 1);
        Probe first = Trial.of("resize", context);
        assertThat(first.resizesCq()).isFalse();
        assertThat(Trial.of("resize", context).resizesCq()).isTrue();
    }

    @Test
    void deviceWithoutResizeIsAskedOnce() {
        Stub.fail("ibv_resize_cq", Errno.EOPNOTSUPP, 1);
        assertThat(Trial.of("no resize", context).resizesCq()).isFalse();
        assertThat(Trial.of("no resize", context).resizesCq()).isFalse();
    }
}
