package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.ListenerConfig;

class DatagramsRefusedTest {
    @Test
    void saysWhoHasDatagrams() {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Verbs verbs = Verbs.open(OpenConfig.provider("iwarp"))) {
            assertThatThrownBy(() -> verbs.listenDatagrams(any, ListenerConfig.defaults()))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("listenDatagrams: device iwarp0 of provider iwarp does not support datagrams")
                    .hasMessageContaining("use ibverbs on InfiniBand or RoCE");
        }
    }
}
