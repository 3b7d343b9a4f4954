package org.panamaverbs.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.device.DeviceInfo;
import org.panamaverbs.api.device.DeviceInfo.Transport;
import org.panamaverbs.api.device.Port;
import org.panamaverbs.api.device.PortAttributes;
import org.panamaverbs.api.device.PortAttributes.LinkLayer;
import org.panamaverbs.api.device.PortAttributes.Speed;
import org.panamaverbs.api.device.PortAttributes.State;

/** What a provider answers of its ports that says no more than its description. */
class DescribedPortTest {
    private final List<DeviceInfo.Port> ports = new ArrayList<>();
    private Transport transport = Transport.OTHER;

    @BeforeEach
    void begin() {
        ports.add(new DeviceInfo.Port(1, true, 1024, List.of("127.0.0.1", "::1", "127.0.0.1")));
        ports.add(new DeviceInfo.Port(7, false, 4096, List.of()));
    }

    @Test
    void isWhatTheDescriptionSays() {
        Port port = verbs().port(1);
        assertThat(port.number()).isEqualTo(1);
        assertThat(port.query())
                .isEqualTo(new PortAttributes(
                        State.ACTIVE, LinkLayer.UNSPECIFIED, 1024, 1024, 0, 0, 0, 0, 0, 0, Speed.UNKNOWN));
        assertThat(port.query().activeMegabits()).isZero();
        assertThat(port.addresses()).containsExactly(InetAddress.ofLiteral("127.0.0.1"), InetAddress.ofLiteral("::1"));
        assertThat(verbs().port(7).query().state()).isEqualTo(State.DOWN);
        assertThat(verbs().port(7).addresses()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"INFINIBAND, INFINIBAND", "ROCE, ETHERNET", "IWARP, ETHERNET", "OTHER, UNSPECIFIED"})
    void linkLayerFollowsFromTheTransport(Transport spoken, LinkLayer layer) {
        transport = spoken;
        assertThat(verbs().port(1).query().linkLayer()).isEqualTo(layer);
    }

    @Test
    void isAsTheDescriptionIsNow() {
        Port port = verbs().port(1);
        ports.set(0, new DeviceInfo.Port(1, false, 2048, List.of("10.0.0.1")));
        assertThat(port.query().state()).isEqualTo(State.DOWN);
        assertThat(port.query().activeMtuBytes()).isEqualTo(2048);
        assertThat(port.addresses()).containsExactly(InetAddress.ofLiteral("10.0.0.1"));
    }

    @Test
    void thatIsGoneSaysSo() {
        Port port = verbs().port(7);
        ports.removeLast();
        assertThatThrownBy(port::query)
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining("port 7 of device fake0 is gone");
    }

    @Test
    void thatIsNotThereIsRefusedWithThoseThatAre() {
        assertThatThrownBy(() -> verbs().port(2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("device fake0 has no port 2; it has [1, 7]");
    }

    @Test
    void hasNoTables() {
        assertThatThrownBy(verbs().port(1)::gids)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage(
                        "gids: port 1 of device fake0 of provider fake has no table of GIDs; remedy: use provider ibverbs");
        assertThatThrownBy(() -> verbs().port(1).pkey(0))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("no table of partition keys");
    }

    @Test
    void isKnownByItsOpenDeviceAndNumber() {
        Verbs verbs = verbs();
        Port port = verbs.port(1);
        assertThat(port)
                .isEqualTo(verbs.port(1))
                .hasSameHashCodeAs(verbs.port(1))
                .isNotEqualTo(verbs.port(7))
                .isNotEqualTo(verbs().port(1))
                .hasToString("port 1 of device fake0 of provider fake");
        transport = Transport.ROCE;
        assertThat(port).as("the device says something else now").isEqualTo(verbs.port(1));
    }

    private Verbs verbs() {
        InvocationHandler answers = (proxy, method, arguments) -> switch (method.getName()) {
            case "device" -> new DeviceInfo("fake0", transport, "", "", 0, ports);
            case "provider" -> "fake";
            case "port" -> InvocationHandler.invokeDefault(proxy, method, arguments);
            default -> throw new AssertionError(method);
        };
        return (Verbs) Proxy.newProxyInstance(Verbs.class.getClassLoader(), new Class<?>[] {Verbs.class}, answers);
    }
}
