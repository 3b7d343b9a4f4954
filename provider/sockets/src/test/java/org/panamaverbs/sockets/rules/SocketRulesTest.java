package org.panamaverbs.sockets.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.sockets.rules.RdmaUse.AUTO;
import static org.panamaverbs.sockets.rules.RdmaUse.OFF;
import static org.panamaverbs.sockets.rules.RdmaUse.REQUIRE;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SocketRulesTest {
    private static InetSocketAddress address(String number, int port) {
        try {
            return new InetSocketAddress(InetAddress.getByName(number), port);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static SocketRules rules(String... lines) {
        return SocketRules.parse(List.of(lines), "some.rules");
    }

    @Test
    void theFirstThatFitsCounts() {
        SocketRules rules = rules(
                "# what is where",
                "",
                "connect 10.1.0.0/16 * require # the fabric",
                "connect * 80-89 off",
                "* * * auto");
        assertThat(rules.toConnect(address("10.1.2.3", 80)).use()).isEqualTo(REQUIRE);
        assertThat(rules.toConnect(address("10.2.2.3", 80)).use()).isEqualTo(OFF);
        assertThat(rules.toConnect(address("10.2.2.3", 89)).use()).isEqualTo(OFF);
        assertThat(rules.toConnect(address("10.2.2.3", 90)).use()).isEqualTo(AUTO);
        assertThat(rules.toListen(address("10.1.2.3", 80)).use()).isEqualTo(AUTO);
        assertThat(rules.toConnect(address("10.1.2.3", 1)).why())
                .isEqualTo("some.rules, line 3: connect 10.1.0.0/16 * require");
    }

    @Test
    void whereNoneFitsItIsAuto() {
        Verdict verdict = rules("listen * 80 off").toListen(address("127.0.0.1", 81));
        assertThat(verdict).isEqualTo(new Verdict(AUTO, "no line of some.rules matches"));
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.0.1, true",
        "10.0.0.0/8, 11.0.0.1, false",
        "10.0.0.0/9, 10.127.255.255, true",
        "10.0.0.0/9, 10.128.0.0, false",
        "10.0.0.1, 10.0.0.1, true",
        "10.0.0.1, 10.0.0.2, false",
        "0.0.0.0/0, 10.0.0.2, true",
        "0.0.0.0/0, 2001:db8::1, false",
        "2001:db8::/32, 2001:db8:1::1, true",
        "2001:db8::/32, 2001:db9::1, false",
        "0.0.0.0, ::, true",
        "::, 0.0.0.0, true",
        "127.0.0.0/8, 0.0.0.0, false",
    })
    void anAddressFitsByItsPrefix(String rule, String address, boolean fits) {
        assertThat(rules("* " + rule + " * off").toListen(address(address, 1)).use())
                .isEqualTo(fits ? OFF : AUTO);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "connect * *",
                "connect * * off now",
                "bind * * off",
                "* localhost * off",
                "* 10.0.0.256 * off",
                "* 10.0.0.0/33 * off",
                "* 10.0.0.0/x * off",
                "* 1::2::3 * off",
                "* * 65536 off",
                "* * 9-8 off",
                "* * http off",
                "* * * tcp",
            })
    void aWrongLineIsToldWithItsPlaceAndTheForm(String line) {
        assertThatThrownBy(() -> rules("* * * off", line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("some.rules, line 2: ")
                .hasMessageContaining('"' + line + '"')
                .hasMessageContaining("require, auto or off");
    }
}
