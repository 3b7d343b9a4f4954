package org.panamaverbs.ibverbs.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.stub.Stub;

/** What a device says it does not have is remembered; what it could not do just now is not. */
class ProbeOverStubTest {
    private static final int EPROTONOSUPPORT = 93; // asm-generic/errno.h

    private static final Set<Feature> ALL = EnumSet.of(Feature.RAW_CLOCK, Feature.ATOMIC_WRITE, Feature.FLUSH);
    private static Probe full;

    private MemorySegment context;

    @BeforeAll
    static void stub() {
        Stub.require();
        MemorySegment open = IbvCalls.OPEN_DEVICE.pointer("the stub", MemorySegment.NULL);
        full = Trial.of("full", open, ALL);
        IbvCalls.CLOSE_DEVICE.check("the stub", open);
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
        "ibv_alloc_null_mr, 12",
        "ibv_alloc_td, 24",
        "ibv_alloc_mw, 12",
        "ibv_alloc_parent_domain, 12",
        "ibv_create_qp_ex, 12"
    })
    void wantOfResourcesFailsNothingAndIsNotRemembered(String call, int errno) {
        String key = "want of resources " + call + errno;
        int before = Stub.objects();
        Stub.fail(call, errno, 2); // also of the way that is taken then
        assertThat(Trial.of(key, context, ALL)).isNotEqualTo(full);
        Stub.fail("", 0, 0);
        assertThat(Trial.of(key, context, ALL)).isEqualTo(full);
        assertThat(Stub.objects()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ibv_alloc_pd", "ibv_create_cq"})
    void deviceThatMakesNoDomainOrQueueIsNotTakenForOneThatDoes(String call) {
        int before = Stub.objects();
        Stub.fail(call, Errno.EIO, 1);
        assertThatThrownBy(() -> Trial.of("unusable by " + call, context, ALL))
                .isInstanceOf(ResourceException.class)
                .hasMessageContainingAll(call, "unusable by", "EIO");
        assertThat(Stub.objects()).isEqualTo(before);
        assertThat(Trial.of("unusable by " + call, context, ALL)).isEqualTo(full);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ibv_destroy_cq", "ibv_destroy_qp", "ibv_dealloc_pd"})
    void failureToDestroyFailsNoOpen(String call) {
        Stub.fail(call, Errno.ENOMEM, 1);
        assertThat(Trial.of("failure of " + call, context, ALL).types()).contains(QueuePairType.RC);
        assertThat(Trial.of("failure of " + call, context, ALL)).isEqualTo(full);
    }

    /** bnxt_re refuses UC so; what errno says then is of another call. */
    @Test
    void refusalWithoutAnErrorNumberIsAbsence() {
        Stub.fail("ibv_alloc_pd", Errno.EMFILE, 1);
        assertThatThrownBy(() -> IbvCalls.ALLOC_PD.pointer("a test", context)).hasMessageContaining("EMFILE");
        Stub.failAfter(1, "ibv_create_qp", -1); // of UC
        assertThat(Trial.of("silent", context, ALL).types())
                .contains(QueuePairType.RC, QueuePairType.UD)
                .doesNotContain(QueuePairType.UC);
        assertThat(Trial.of("silent", context, ALL).types()).doesNotContain(QueuePairType.UC);
    }

    /** They would be refused by name for as long as the device is open, and nobody would hear of the memory. */
    @Test
    void reliableConnectionsAreNotTakenForAbsentForWantOfMemory() {
        Stub.fail("ibv_create_qp", Errno.ENOMEM, 1);
        assertThat(Trial.of("RC without memory", context, ALL).types()).contains(QueuePairType.RC);
    }

    /** Each that succeeds is a command to the adapter's firmware, and some refusals are a line in dmesg. */
    @Test
    void littleIsAskedAndThatOnce() {
        Stub.inlineRefusal(Errno.EINVAL);
        int queuePairs = Stub.calls("ibv_create_qp");
        int extendedPairs = Stub.calls("ibv_create_qp_ex");
        int queues = Stub.calls("ibv_create_cq_ex");
        assertThat(Trial.of("asks", context, EnumSet.noneOf(Feature.class)).maxInlineBytes())
                .isEqualTo(Stub.INLINE_BYTES);
        Trial.of("asks", context, EnumSet.noneOf(Feature.class));
        assertThat(Stub.calls("ibv_create_qp") - queuePairs).isEqualTo(18);
        assertThat(Stub.calls("ibv_create_qp_ex")).isEqualTo(extendedPairs);
        assertThat(Stub.calls("ibv_create_cq_ex") - queues).isOne();
    }

    @Test
    void wantOfFilesIsNotTakenForTooMuchInlineData() {
        Stub.inlineRefusal(Errno.EMFILE);
        Trial.of("no files for inline", context, ALL);
        Stub.inlineRefusal(0);
        assertThat(Trial.of("no files for inline", context, ALL)).isEqualTo(full);
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.EINVAL, Errno.ENOMEM})
    void inlineDataOfTheDeviceAreFoundThoughItSaysWantOfMemoryToMore(int errno) {
        Stub.inlineRefusal(errno);
        assertThat(Trial.of("inline " + errno, context, ALL).maxInlineBytes()).isEqualTo(Stub.INLINE_BYTES);
    }

    @Test
    void inlineDataAreTriedOfEachType() {
        Stub.inlineRefusal(Errno.EINVAL);
        assertThat(Trial.of("inline of each", context, ALL).inlineBytes())
                .containsEntry(QueuePairType.RC, Stub.INLINE_BYTES)
                .containsEntry(QueuePairType.UC, Stub.INLINE_BYTES)
                .containsEntry(QueuePairType.UD, Stub.INLINE_BYTES - Stub.UD_ADDRESS_BYTES);
    }

    @Test
    void deviceWithoutReliableConnectionsTakesInlineDataInOthers() {
        Stub.fail("ibv_create_qp", Errno.EOPNOTSUPP, 1);
        Probe found = Trial.of("inline without RC", context, ALL);
        assertThat(found.types()).doesNotContain(QueuePairType.RC).contains(QueuePairType.UD);
        assertThat(found.maxInlineBytes()).isPositive();
    }

    /** As mlx5 without RoCE, which makes queue pairs of all types. */
    @Test
    void typeThatMayNotLeaveResetIsNotThere() {
        Stub.fail("ibv_modify_qp", Errno.EOPNOTSUPP, 1);
        assertThat(Trial.of("no RoCE", context, ALL).types())
                .doesNotContain(QueuePairType.RC)
                .contains(QueuePairType.UD);
        Stub.fail("ibv_alloc_mw", Errno.EOPNOTSUPP, 2);
        assertThat(Trial.of("no windows", context, ALL).extended())
                .doesNotContain(Feature.MEMORY_WINDOW_TYPE_1, Feature.MEMORY_WINDOW_TYPE_2);
    }

    @Test
    void answerOfNoKnownMeaningIsNotRemembered() {
        Stub.fail("ibv_create_qp", Errno.EPROTO, 1);
        assertThat(Trial.of("unknown", context, ALL).types()).doesNotContain(QueuePairType.RC);
        assertThat(Trial.of("unknown", context, ALL).types()).contains(QueuePairType.RC);
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.EINVAL, Errno.EOPNOTSUPP, Errno.ENOSYS, EPROTONOSUPPORT})
    void absenceIsRemembered(int errno) {
        Stub.fail("ibv_create_qp", errno, 1);
        assertThat(Trial.of("absent " + errno, context, ALL).types())
                .doesNotContain(QueuePairType.RC)
                .contains(QueuePairType.UD);
        assertThat(Trial.of("absent " + errno, context, ALL).types()).doesNotContain(QueuePairType.RC);
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
        assertThat(Trial.of("with " + call, context, ALL).extended())
                .contains(
                        Feature.RAW_CLOCK,
                        Feature.NULL_REGION,
                        Feature.PARENT_DOMAIN,
                        Feature.ATOMIC_WRITE,
                        Feature.FLUSH);
        Stub.fail(call, Errno.EOPNOTSUPP, 1);
        assertThat(Trial.of("without " + call, context, ALL).extended()).doesNotContain(feature);
        assertThat(Stub.objects()).isEqualTo(before);
    }

    @Test
    void rawPacketsThatAreForbiddenAreAbsentAndRemembered() {
        int before = 3; // RC, UC and UD are made
        Stub.failAfter(before, "ibv_create_qp", Errno.EPERM);
        assertThat(Trial.of("forbidden", context, ALL).types())
                .contains(QueuePairType.UD)
                .doesNotContain(QueuePairType.RAW_PACKET);
        assertThat(Trial.of("forbidden", context, ALL).types()).doesNotContain(QueuePairType.RAW_PACKET);
        assertThat(Trial.of("forbidden", context, ALL).forbidsRaw()).isTrue();
        assertThat(Trial.of("allowed", context, ALL).types()).contains(QueuePairType.RAW_PACKET);
        assertThat(Trial.of("allowed", context, ALL).forbidsRaw()).isFalse();
    }

    @Test
    void resizeThatFailsOnceIsTriedAgain() {
        Stub.fail("ibv_resize_cq", Errno.EPROTO, 1);
        Probe first = Trial.of("resize", context, ALL);
        assertThat(first.resizesCq()).isFalse();
        assertThat(Trial.of("resize", context, ALL).resizesCq()).isTrue();
    }

    @Test
    void deviceWithoutResizeIsAskedOnce() {
        Stub.fail("ibv_resize_cq", Errno.EOPNOTSUPP, 1);
        assertThat(Trial.of("no resize", context, ALL).resizesCq()).isFalse();
        assertThat(Trial.of("no resize", context, ALL).resizesCq()).isFalse();
    }
}
