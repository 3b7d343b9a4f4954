package org.panamaverbs.api.ext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FlowRuleTest {
    private static final InetAddress V4 = InetAddress.ofLiteral("192.0.2.1");
    private static final InetAddress V6 = InetAddress.ofLiteral("2001:db8::1");

    @ParameterizedTest
    @CsvSource({
        "224.0.0.1, 01:00:5e:00:00:01",
        "239.255.2.3, 01:00:5e:7f:02:03",
        "239.129.2.3, 01:00:5e:01:02:03",
        "ff02::1, 33:33:00:00:00:01",
        "ff05::fedc:ba98, 33:33:fe:dc:ba:98"
    })
    void framesToAGroupHaveTheAddressOfTheRfcs(String group, String address) {
        assertThat(MacAddress.ofGroup(InetAddress.ofLiteral(group)))
                .isEqualTo(MacAddress.of(address))
                .hasToString(address);
    }

    @Test
    void addressOfOneHostIsNoGroup() {
        assertThatThrownBy(() -> MacAddress.ofGroup(V4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("192.0.2.1 is not a multicast address");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "02:00:5e:10:00", "02:00:5e:10:00:01:02", "02-00-5e-10-00-01", "xx:00:5e:10:00:01"})
    void textThatIsNoAddressIsRefused(String text) {
        assertThatThrownBy(() -> MacAddress.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("MAC address");
    }

    @Test
    void valueBeyondItsFieldIsRefused() {
        assertThatThrownBy(() -> new Match(3, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FlowSpec.Ethernet.any().withVlan(4096)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FlowSpec.Ethernet.any().withEtherType(0x1_0000))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FlowSpec.Ports.any(FlowSpec.Ports.Protocol.UDP).withDestination(65_536))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new FlowSpec.Ports(FlowSpec.Ports.Protocol.UDP, new Match(0, 0x1_0000), Match.ANY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("source has 16 bits");
        assertThatThrownBy(() -> FlowSpec.Vxlan.of(1 << 24)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FlowSpec.Mpls.ofLabel(1 << 20)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new FlowSpec.Gre(Match.ANY, new Match(0, 0x1_0000), Match.ANY))
                .hasMessageContaining("protocol has 16 bits");
        assertThatThrownBy(() -> new FlowSpec.Inner(FlowSpec.Vxlan.of(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("got Vxlan");
        assertThatThrownBy(() -> new Prefix(V4, 33))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be 0 to 32, got 33");
        assertThatThrownBy(() -> RateLimit.of(1L << 32)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FlowRule.of().withPriority(0x1_0000)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FlowRule.of().withPort(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void addressesAreOfTheirLayer() {
        assertThatThrownBy(() -> FlowSpec.Ipv4.any().withSource(V6))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not an address of IPv4");
        assertThatThrownBy(() -> FlowSpec.Ipv6.any().withDestination(V4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not an address of IPv6");
    }

    @Test
    void onlyNormalRulesHaveSpecs() {
        FlowRule sniffer = FlowRule.of(FlowRule.Type.SNIFFER);
        assertThatThrownBy(() -> sniffer.with(FlowSpec.Ipv4.any())).isInstanceOf(IllegalArgumentException.class);
        assertThat(sniffer.with(FlowRule.Flag.EGRESS).flags()).containsExactly(FlowRule.Flag.EGRESS);
    }
}
