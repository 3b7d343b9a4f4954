package org.panamaverbs.api.cm.outofband;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.cm.RetryTimes;

/** What a queue pair is told by hand: defaults, ranges, and that each setting changes its own alone. */
class OutOfBandConfigTest {
    private static final OutOfBandConfig DEFAULT = OutOfBandConfig.defaults();

    @Test
    void eachSettingArrives() {
        RetryTimes times = RetryTimes.ofCodes(10, 11);
        OutOfBandConfig config = DEFAULT.withPort(2)
                .withGidIndex(3)
                .withPkeyIndex(4)
                .withPathMtu(512)
                .withRetryTimes(times)
                .withRetries(5, 6)
                .withDepths(7, 8)
                .withQkey(0x80000009)
                .withRoute(route -> route.withTrafficClass(96));
        assertThat(config.route().port()).isEqualTo(2);
        assertThat(config.route().gidIndex()).isEqualTo(3);
        assertThat(config.route().trafficClass()).isEqualTo(96);
        assertThat(config.route().hopLimit()).isEqualTo(64);
        assertThat(config.pkeyIndex()).isEqualTo(4);
        assertThat(config.pathMtuBytes()).isEqualTo(512);
        assertThat(config.retryTimes()).isEqualTo(times);
        assertThat(config.retryCount()).isEqualTo(5);
        assertThat(config.rnrRetryCount()).isEqualTo(6);
        assertThat(config.responderResources()).isEqualTo(7);
        assertThat(config.initiatorDepth()).isEqualTo(8);
        assertThat(config.qkey()).isEqualTo(0x80000009);
    }

    @Test
    void refusesWhatIsBeyondItsRange() {
        refuses("port", config -> config.withPort(256));
        refuses("gidIndex", config -> config.withGidIndex(-2));
        refuses("gidIndex", config -> config.withGidIndex(256));
        refuses("serviceLevel", config -> config.withRoute(route -> route.withServiceLevel(16)));
        refuses("flowLabel", config -> config.withRoute(route -> route.withFlowLabel(1 << 20)));
        refuses("hopLimit", config -> config.withRoute(route -> route.withHopLimit(-1)));
        refuses("trafficClass", config -> config.withRoute(route -> route.withTrafficClass(256)));
        refuses("staticRate", config -> config.withRoute(route -> route.withStaticRate(256)));
        refuses("pkeyIndex", config -> config.withPkeyIndex(65536));
        refuses("pathMtuBytes", config -> config.withPathMtu(1500));
        refuses("retryCount", config -> config.withRetries(8, 0));
        refuses("rnrRetryCount", config -> config.withRetries(0, 8));
        refuses("responderResources", config -> config.withDepths(256, 0));
        refuses("initiatorDepth", config -> config.withDepths(0, -1));
    }

    private static void refuses(String what, UnaryOperator<OutOfBandConfig> change) {
        assertThatThrownBy(() -> change.apply(DEFAULT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(what + " must be ");
    }
}
