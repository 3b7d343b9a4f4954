package org.panamaverbs.testkit.conformance.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.device.DeviceClock;
import org.panamaverbs.api.ext.FlowCounters;
import org.panamaverbs.api.ext.MemoryAdvice;
import org.panamaverbs.api.ext.XrcDevice;
import org.panamaverbs.api.ext.XrcDomainConfig;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.MemorySlab;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Needs;
import org.panamaverbs.testkit.random.Patterns;

/** Registrations beside the ordinary ones, and other objects that not every device has. */
public abstract class RegistrationConformance extends Conformance {
    private static final int BYTES = 8192;
    private static final long BASE = 0x1234_5000L;

    /** For subclasses. */
    protected RegistrationConformance() {}

    @Test
    void memoryIsWrittenAndReadAtTheBaseThatWasChosen() {
        ConnectedPair pair = pair();
        requires(pair.b().verbs(), Feature.ZERO_BASED);
        try (MemorySlab slab = MemorySlab.allocate(BYTES);
                RegisteredBuffer target = pair.b()
                        .domain()
                        .register(slab.segment(), BASE, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ)) {
            assertThat(target.iova()).isEqualTo(BASE);
            assertThat(target.checkedAddress(16, 8)).isEqualTo(BASE + 16);
            byte[] data = Patterns.bytes(7, 100);
            pair.a().put(0, data);
            accepted(pair.qpA().write(1, pair.a().buffer(), 0, 100, target.remote(), 4090, SIGNALED));
            pair.a().inbox().takeOk(1);
            accepted(pair.qpA().read(2, pair.a().buffer(), 200, 100, target.remote(), 4090, SIGNALED));
            pair.a().inbox().takeOk(2);
            assertThat(pair.a().get(200, 100)).isEqualTo(data);
            // As a source of this side's own, too.
            accepted(pair.qpA().recv(3, pair.a().buffer(), 400, 100));
            accepted(pair.qpB().send(4, target, 4090, 100, SIGNALED));
            pair.b().inbox().takeOk(4);
            pair.a().inbox().takeOk(3);
            assertThat(pair.a().get(400, 100)).isEqualTo(data);
        }
    }

    @Test
    @ApiCase
    void refusesBasesThatNoAdapterCanMap() {
        Endpoint side = sideA();
        try (MemorySlab slab = MemorySlab.allocate(BYTES)) {
            MemorySegment segment = slab.segment();
            assertThatThrownBy(() -> side.domain().register(segment, BASE + 8, Access.LOCAL_WRITE))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("page");
            assertThatThrownBy(() -> side.domain().register(segment, -4096L, Access.LOCAL_WRITE))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("wrap");
            assertThatThrownBy(() -> side.domain().register(segment, BASE, Access.ZERO_BASED))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("ZERO_BASED");
        }
    }

    @Test
    @ApiCase
    void refusesEachObjectTheDeviceLacks() {
        Endpoint side = sideA();
        Verbs verbs = side.verbs();
        Map<Feature, ThrowingCallable> makings = makings(verbs, side.domain());
        makings.keySet().removeAll(verbs.capabilities().features());
        requires(!makings.isEmpty(), verbs, "has every object");
        makings.forEach((feature, making) -> assertThatThrownBy(making)
                .as("%s", feature)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining(feature.name()));
    }

    private static Map<Feature, ThrowingCallable> makings(Verbs verbs, ProtectionDomain domain) {
        return new EnumMap<>(Map.of(
                Feature.RAW_CLOCK,
                verbs::clock,
                Feature.PARENT_DOMAIN,
                verbs::threadDomain,
                Feature.DEVICE_MEMORY,
                () -> verbs.deviceMemory(4096, 0),
                Feature.FLOW_COUNTERS,
                () -> verbs.flowCounters(FlowCounters.Kind.PACKETS),
                Feature.XRC,
                () -> XrcDevice.of(verbs).openXrcDomain(XrcDomainConfig.unshared()),
                Feature.NULL_REGION,
                domain::nullRegion,
                Feature.IMPLICIT_ON_DEMAND_PAGING,
                () -> domain.registerAddressSpace(Access.LOCAL_WRITE),
                Feature.ON_DEMAND_PAGING,
                () -> domain.advise(MemoryAdvice.PREFETCH, true, SgList.ofCapacity(1))));
    }

    @Test
    @Needs(Feature.RAW_CLOCK)
    @ApiCase
    void clockGoesForward() {
        Verbs verbs = openA();
        DeviceClock clock = verbs.clock();
        assertThat(clock.rate().kilohertz()).isPositive();
        long first = clock.read();
        assertThat((clock.read() - first) & clock.mask())
                .isLessThan(clock.rate().kilohertz() * 1_000 * 60);
    }

    @Test
    void rightsOfARegistrationCanBeChanged() {
        ConnectedPair pair = pair();
        try (MemorySlab slab = MemorySlab.allocate(BYTES);
                RegisteredBuffer before = pair.b().domain().register(slab.segment(), Access.LOCAL_WRITE);
                RegisteredBuffer after = changed(pair.b(), before)) {
            byte[] data = Patterns.bytes(8, 64);
            pair.a().put(0, data);
            accepted(pair.qpA().write(1, pair.a().buffer(), 0, 64, after.remote(), 32, SIGNALED));
            pair.a().inbox().takeOk(1);
            pair.barrier();
            assertThat(slab.segment().asSlice(32, 64).mismatch(MemorySegment.ofArray(data)))
                    .isEqualTo(-1);
        }
    }

    private RegisteredBuffer changed(Endpoint side, RegisteredBuffer buffer) {
        try {
            return side.domain().reregister(buffer, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        } catch (UnsupportedOperationException e) {
            requires(false, side.verbs(), "changes no registrations");
            throw e;
        }
    }
}
