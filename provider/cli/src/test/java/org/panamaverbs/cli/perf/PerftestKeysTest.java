package org.panamaverbs.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.device.Gid;
import org.panamaverbs.cli.command.CommandFailure;

/** perftest's keys, as its tools print and read them. */
class PerftestKeysTest {
    private static final Gid GID = Gid.of(InetAddress.ofLiteral("10.0.3.1"));

    @Test
    void formWithGidIsPerftests() {
        PerftestKeys keys = new PerftestKeys(0, 16, 0x11, 0xabcdef, 0x1f2e, 0x7f0012345000L, GID);
        assertThat(new String(keys.encode(), StandardCharsets.US_ASCII))
                .hasSize(108)
                .isEqualTo("0000:0010:000011:abcdef:00001f2e:00007f0012345000:"
                        + "00:00:00:00:00:00:00:00:00:00:ff:ff:0a:00:03:01:00000000:\0");
        assertThat(PerftestKeys.decode(keys.encode())).isEqualTo(keys);
    }

    @Test
    void formWithoutGidIsPerftests() {
        PerftestKeys keys = new PerftestKeys(0xbeef, 1, 0xffffff, 0, -1, -1, null);
        assertThat(new String(keys.encode(), StandardCharsets.US_ASCII))
                .hasSize(59)
                .isEqualTo("beef:0001:ffffff:000000:ffffffff:ffffffffffffffff:00000000\0");
        assertThat(PerftestKeys.decode(keys.encode())).isEqualTo(keys);
    }

    @Test
    void refusesWhatIsNoForm() {
        byte[] form = new PerftestKeys(0, 16, 0x11, 0xabcdef, 0x1f2e, 0x7f00, GID).encode();
        for (int at : new int[] {0, 5, 10, 20, 25, 40, 60, 90}) {
            byte[] wrong = form.clone();
            wrong[at] = 'x';
            assertThatThrownBy(() -> PerftestKeys.decode(wrong))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining("sent no keys in perftest's format");
        }
        assertThatThrownBy(() -> PerftestKeys.decode(Arrays.copyOf(new byte[0], 108)))
                .isInstanceOf(CommandFailure.class);
    }
}
