package org.panamaverbs.ibverbs.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.IP_CSUM;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.device.DeviceInfo.Transport;
import org.panamaverbs.api.ext.Flow;
import org.panamaverbs.api.ext.FlowCounters;
import org.panamaverbs.api.ext.FlowRule;
import org.panamaverbs.api.ext.FlowSpec.Count;
import org.panamaverbs.api.ext.FlowSpec.Drop;
import org.panamaverbs.api.ext.FlowSpec.Ethernet;
import org.panamaverbs.api.ext.FlowSpec.Gre;
import org.panamaverbs.api.ext.FlowSpec.Inner;
import org.panamaverbs.api.ext.FlowSpec.Ipv4;
import org.panamaverbs.api.ext.FlowSpec.Ipv6;
import org.panamaverbs.api.ext.FlowSpec.Mpls;
import org.panamaverbs.api.ext.FlowSpec.Ports;
import org.panamaverbs.api.ext.FlowSpec.Tag;
import org.panamaverbs.api.ext.FlowSpec.Vxlan;
import org.panamaverbs.api.ext.MacAddress;
import org.panamaverbs.api.ext.Match;
import org.panamaverbs.api.ext.Prefix;
import org.panamaverbs.api.ext.RateLimit;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.completion.CompletionQueueMaker;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.context.ContextConfig;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.device.Quirks;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.ibverbs.stub.StubVerbs;
import org.panamaverbs.stub.StubCapabilities;

/**
 * Raw packets, of which no device of the lab has any: the calls, and what is behind their pointers as the C compiler
 * reads it with libibverbs' header.
 */
class EthernetOverStubTest extends OverStub {
    private static final InetAddress GROUP = InetAddress.ofLiteral("239.1.2.3");

    private IbvCompletionQueue queue;
    private IbvQueuePair raw;

    @Override
    protected StubVerbs opened() {
        return new StubVerbs(EnumSet.of(
                Feature.FLOW_STEERING, Feature.CHECKSUM_OFFLOAD, Feature.PACKET_PACING, Feature.FLOW_COUNTERS));
    }

    @BeforeEach
    void open() {
        queue = verbs.queue(16);
        raw = queuePair(QueuePairType.RAW_PACKET);
    }

    private IbvQueuePair queuePair(QueuePairType type) {
        IbvQueuePair made =
                verbs.queuePair(QueuePairConfig.of(verbs.domain(), queue).withType(type));
        made.modify(QueuePairAttributes.to(QueuePairState.RTS));
        return made;
    }

    private String asCReadsIt(FlowRule rule) {
        try (Flow flow = raw.flow(rule)) {
            assertThat(flow.rule()).isEqualTo(rule);
            assertThat(Stub.flows()).isEqualTo(1);
            return Stub.flow();
        } finally {
            assertThat(Stub.flows()).isZero();
        }
    }

    @Test
    void feedOfUdpIsFoundByGroupAndPort() {
        FlowRule rule = FlowRule.of(
                Ethernet.any().withDestination(MacAddress.ofGroup(GROUP)).withVlan(5),
                Ipv4.any().withDestination(GROUP),
                Ports.any(Ports.Protocol.UDP).withDestination(0x1234));
        assertThat(asCReadsIt(rule))
                .isEqualTo("0 type 0 priority 0 port 1 flags 0 specs 3:"
                        + " eth 01005e010203/ffffffffffff 000000000000/000000000000 0000/0000 0005/0fff"
                        + " ipv4 00000000/00000000 ef010203/ffffffff"
                        + " udp 0000/0000 1234/ffff");
    }

    @Test
    void allFieldsOfEthernetAndIpv4AreWhereCHasThem() {
        FlowRule rule = new FlowRule(FlowRule.Type.NORMAL, 0x102, 3, EnumSet.of(FlowRule.Flag.DONT_TRAP), List.of())
                .with(new Ethernet(
                        new Match(0x0102_0304_0506L, 0xFFFF_FFFF_FFFFL),
                        new Match(0x1112_1314_0000L, 0xFFFF_FFFF_0000L),
                        new Match(0x0800, 0xFFFF),
                        new Match(0xE001, 0xF00F)))
                .with(new Ipv4(
                        new Prefix(InetAddress.ofLiteral("10.9.8.7"), 13),
                        Prefix.of(InetAddress.ofLiteral("192.0.2.1")),
                        new Match(17, 0xFF),
                        new Match(0x2E, 0xFE),
                        new Match(64, 0x40),
                        new Match(1, 3)))
                .with(Ports.any(Ports.Protocol.TCP).withSource(0xABCD).withDestination(0x0102))
                .with(new Tag(0x00ABCDEF))
                .with(new Drop());
        assertThat(asCReadsIt(rule))
                .isEqualTo("0 type 0 priority 258 port 3 flags 2 specs 5:"
                        + " eth 010203040506/ffffffffffff 111213140000/ffffffff0000 0800/ffff e001/f00f"
                        + " ipv4_ext 0a080000/fff80000 c0000201/ffffffff 11/ff 2e/fe 40/40 01/03"
                        + " tcp abcd/ffff 0102/ffff"
                        + " tag 11259375"
                        + " drop");
    }

    @Test
    void ruleIsForThePortOfTheQueuePair() {
        FlowRule any = FlowRule.of(FlowRule.Type.ALL_DEFAULT);
        assertThat(asCReadsIt(any)).contains(" port 1 ");
        raw.modify(new QueuePairAttributes().set(QueuePairAttributes.Field.PORT, 2));
        assertThat(asCReadsIt(any)).contains(" port 2 ");
        assertThat(asCReadsIt(any.withPort(3))).contains(" port 3 ");
    }

    @Test
    void processWithoutTheRightIsToldOfIt() {
        refuses(StubCapabilities.of(EnumSet.noneOf(Feature.class)), its -> its.withType(QueuePairType.RAW_PACKET))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageStartingWith("ibv_create_qp RAW_PACKET of device stub0: EPERM (1): this process lacks"
                        + " CAP_NET_RAW; remedy: grant it");
    }

    @Test
    void inlineDataAreLimitedByTheType() {
        Capabilities can = Capabilities.builder()
                .maxQpWr(128)
                .maxSge(4)
                .maxInlineBytes(64)
                .inlineBytesByType(Map.of(QueuePairType.UD, 32))
                .maxCqe(16)
                .queuePairTypes(EnumSet.of(QueuePairType.RC, QueuePairType.UD))
                .build();
        refuses(can, its -> its.withType(QueuePairType.UD))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("maxInlineBytes must be 0 to 32 on device stub0, got 64");
        refuses(can, its -> its.withInline(65)).hasMessage("maxInlineBytes must be 0 to 64 on device stub0, got 65");
    }

    /** Begins what is expected of a process that may make no raw queue pairs, of a device that can what is said. */
    private static AbstractThrowableAssert<?, ?> refuses(Capabilities can, UnaryOperator<QueuePairConfig> change) {
        MemorySegment device = IbvCalls.OPEN_DEVICE.pointer("the stub", MemorySegment.NULL);
        try (IbvContext context = IbvContext.open(
                        new ContextConfig(device, "stub0", Transport.ROCE, can, 1, false, true, Quirks.NONE));
                IbvProtectionDomain domain = IbvProtectionDomain.create(context);
                CompletionQueue its = CompletionQueueMaker.make(context, CompletionQueueConfig.of(15))) {
            QueuePairConfig asked = change.apply(QueuePairConfig.of(domain, its));
            return assertThatThrownBy(() -> domain.create(asked));
        }
    }

    @Test
    void allFieldsOfIpv6AreWhereCHasThem() {
        FlowRule rule = FlowRule.of(new Ipv6(
                        new Prefix(InetAddress.ofLiteral("2001:db8:1:2:3:4:5:6"), 33),
                        Prefix.of(InetAddress.ofLiteral("ff02::1:2")),
                        new Match(0xABCDE, 0xFFFFF),
                        new Match(17, 0xFF),
                        new Match(0x20, 0xE0),
                        new Match(1, 1)))
                .with(FlowRule.Flag.EGRESS)
                .withPriority(0xFFFF)
                .withPort(2);
        assertThat(asCReadsIt(rule))
                .isEqualTo("0 type 0 priority 65535 port 2 flags 4 specs 1:"
                        + " ipv6 20010db8000000000000000000000000/ffffffff800000000000000000000000"
                        + " ff020000000000000000000000010002/ffffffffffffffffffffffffffffffff"
                        + " 000abcde/000fffff 11/ff 20/e0 01/01");
    }

    @Test
    void headersInATunnelAreWhereCHasThem() {
        FlowRule rule = FlowRule.of(
                Ports.any(Ports.Protocol.UDP).withDestination(4789),
                Vxlan.of(0xABCDEF),
                new Inner(Ethernet.any().withEtherType(0x0800)),
                new Inner(Ipv4.any().withDestination(InetAddress.ofLiteral("192.0.2.1"))),
                new Inner(Ports.any(Ports.Protocol.TCP).withSource(0x1234)));
        assertThat(asCReadsIt(rule))
                .isEqualTo("0 type 0 priority 0 port 1 flags 0 specs 5:"
                        + " udp 0000/0000 12b5/ffff"
                        + " vxlan 00abcdef/00ffffff"
                        + " inner eth 000000000000/000000000000 000000000000/000000000000 0800/ffff 0000/0000"
                        + " inner ipv4 00000000/00000000 c0000201/ffffffff"
                        + " inner tcp 1234/ffff 0000/0000");
        assertThat(asCReadsIt(FlowRule.of(
                        new Gre(
                                new Match(0x2000, 0xB000),
                                new Match(0x6558, 0xFFFF),
                                new Match(0xCAFE_0102L, 0xFFFF_FFFFL)),
                        new Mpls(new Match(0x1234_56FFL, 0xFFFF_FFFFL)),
                        new Inner(Mpls.ofLabel(0xFEDCB)))))
                .isEqualTo("0 type 0 priority 0 port 1 flags 0 specs 3:"
                        + " gre 2000/b000 6558/ffff cafe0102/ffffffff"
                        + " mpls 123456ff/ffffffff"
                        + " inner mpls fedcb000/fffff000");
    }

    @Test
    void rulesOfOtherTypesHaveNoSpecs() {
        assertThat(asCReadsIt(FlowRule.of(FlowRule.Type.SNIFFER)))
                .isEqualTo("0 type 3 priority 0 port 1 flags 0 specs 0:");
        assertThat(asCReadsIt(FlowRule.of(FlowRule.Type.MC_DEFAULT))).startsWith("0 type 2 ");
        assertThat(asCReadsIt(FlowRule.of(FlowRule.Type.ALL_DEFAULT))).startsWith("0 type 1 ");
    }

    @Test
    void flowIsClosedBeforeItsQueuePair() {
        Flow flow = raw.flow(FlowRule.of());
        assertThatThrownBy(raw::close).isInstanceOf(IllegalStateException.class).hasMessageContaining("flow ");
        Stub.fail("ibv_destroy_flow", Errno.EBUSY, 1);
        assertThatThrownBy(flow::close).isInstanceOf(ResourceException.class).hasMessageContaining("EBUSY");
        flow.close();
        flow.close();
        assertThat(Stub.flows()).isZero();
        raw.close();
        assertThatThrownBy(() -> raw.flow(FlowRule.of())).isInstanceOf(IllegalStateException.class);
    }

    private FlowCounters counters(FlowCounters.Kind... kinds) {
        return verbs.add(IbvFlowCounters.create(verbs.context(), List.of(kinds)));
    }

    @Test
    void packetsOfFlowsAreCounted() {
        FlowCounters both = counters(FlowCounters.Kind.BYTES, FlowCounters.Kind.PACKETS);
        FlowCounters packets = counters(FlowCounters.Kind.PACKETS);
        assertThat(both.read()).as("at first").containsExactly(0, 0);
        // Two ports of 16 bytes: the pointer behind them lies at 52, which is not aligned.
        FlowRule one = FlowRule.of(Ports.any(Ports.Protocol.UDP), Ports.any(Ports.Protocol.TCP), new Count(both));
        FlowRule other = FlowRule.of(new Tag(1), new Count(both));
        FlowRule third = FlowRule.of(Ethernet.any(), new Count(packets));
        try (Flow first = raw.flow(one);
                Flow last = raw.flow(third)) {
            Flow second = verbs.add(raw.flow(other));
            assertThat(Stub.flow()).endsWith(" count");
            Stub.flowPackets(3, 1000);
            assertThat(both.readCached()).as("what the driver remembers").containsExactly(0, 0);
            assertThat(both.read()).as("of both flows").containsExactly(2000, 6);
            assertThat(packets.read()).containsExactly(3);
            second.close();
            Stub.flowPackets(1, 100);
            assertThat(both.readCached()).containsExactly(2000, 6);
            assertThat(both.read()).containsExactly(2100, 7);
            assertThat(both.kinds()).containsExactly(FlowCounters.Kind.BYTES, FlowCounters.Kind.PACKETS);
            assertThat(List.of(first.rule(), last.rule())).containsExactly(one, third);
            assertThatThrownBy(both::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("flow ");
        }
        Stub.fail("ibv_destroy_counters", Errno.EBUSY, 1);
        assertThatThrownBy(both::close).isInstanceOf(ResourceException.class).hasMessageContaining("flow counters");
        both.close();
        assertThatThrownBy(both::read).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> raw.flow(one)).isInstanceOf(IllegalStateException.class);
        assertThat(Stub.flows()).isZero();
    }

    @Test
    void countersThatCannotBeMadeLeaveNothingBehind() {
        int before = Stub.objects();
        Stub.fail("ibv_create_counters", Errno.ENOMEM, 1);
        assertThatThrownBy(() -> counters(FlowCounters.Kind.BYTES)).isInstanceOf(ResourceException.class);
        Stub.failAfter(1, "ibv_attach_counters_point_flow", Errno.EOPNOTSUPP);
        assertThatThrownBy(() -> counters(FlowCounters.Kind.PACKETS, FlowCounters.Kind.BYTES))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("BYTES of counters of flows");
        assertThatThrownBy(this::counters).isInstanceOf(IllegalArgumentException.class);
        assertThat(Stub.objects()).isEqualTo(before);
        FlowCounters counters = counters(FlowCounters.Kind.BYTES);
        Stub.fail("ibv_read_counters", Errno.EINVAL, 1);
        assertThatThrownBy(counters::read).isInstanceOf(ResourceException.class).hasMessageContaining("flow counters");
        try (StubVerbs others = opened()) {
            FlowRule rule = FlowRule.of(new Count(counters));
            IbvQueuePair theirs = others.queuePair(
                    QueuePairConfig.of(others.domain(), others.queue(4)).withType(QueuePairType.RAW_PACKET));
            assertThatThrownBy(() -> theirs.flow(rule))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("flow counters");
        }
    }

    @Test
    void refusalSaysWhatIsMissing() {
        Stub.fail("ibv_create_flow", Errno.EPERM, 1);
        assertThatThrownBy(() -> raw.flow(FlowRule.of()))
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining("a flow of queue pair " + raw.number())
                .hasMessageContaining("CAP_NET_RAW");
        IbvQueuePair connected = queuePair(QueuePairType.RC);
        assertThatThrownBy(() -> connected.flow(FlowRule.of()))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("is RC, flows need RAW_PACKET or UD");
    }

    @Test
    void deviceWithoutAnswersByCapability() {
        reopen(EnumSet.noneOf(Feature.class));
        open();
        assertThatThrownBy(() -> raw.flow(FlowRule.of()))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("lacks FLOW_STEERING");
        assertThatThrownBy(() -> raw.limitRate(RateLimit.NONE))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("lacks PACKET_PACING");
        assertThatThrownBy(() -> counters(FlowCounters.Kind.BYTES))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("lacks FLOW_COUNTERS");
        assertThat(send(IP_CSUM)).isEqualTo(PostStatus.INVALID);
        assertThat(send(SIGNALED)).isEqualTo(PostStatus.ACCEPTED);
    }

    @Test
    void rateIsLimited() {
        raw.limitRate(new RateLimit(4_000_000_000L, 3_000_000_001L, 65_000));
        assertThat(Stub.rateLimit()).containsExactly((int) 4_000_000_000L, (int) 3_000_000_001L, 65_000, 0);
        raw.limitRate(RateLimit.of(100));
        assertThat(Stub.rateLimit()).containsExactly(100, 0, 0, 0);
        Stub.fail("ibv_modify_qp_rate_limit", Errno.EINVAL, 1);
        assertThatThrownBy(() -> raw.limitRate(RateLimit.NONE))
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining("queue pair " + raw.number());
    }

    private int send(int flags) {
        return raw.post(WorkRequest.of(SendOpcode.SEND).wrId(1).flags(flags));
    }

    @Test
    void deviceIsAskedForChecksums() {
        assertThat(send(SIGNALED | IP_CSUM)).isEqualTo(PostStatus.ACCEPTED);
        assertThat(Stub.sendFlags()).isEqualTo(SIGNALED | IP_CSUM);
        assertThat(send(SIGNALED | IP_CSUM << 1)).isEqualTo(PostStatus.INVALID);
    }

    @Test
    void completionSaysWhetherChecksumsAreRight() {
        Stub.receive(raw.number(), 1);
        Stub.receive(raw.number(), 0);
        WorkCompletions completions = WorkCompletions.ofCapacity(2);
        assertThat(queue.poll(completions)).isEqualTo(2);
        assertThat(completions.get(0).checksumsOk()).isTrue();
        assertThat(completions.get(1).checksumsOk()).isFalse();
        assertThat(completions.get(0).sourceQpNumber()).isZero();
    }
}
