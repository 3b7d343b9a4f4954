package org.panamaverbs.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.panamaverbs.cli.demo.ControlMessage.Kind;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RemoteBuffer;

class ControlMessageTest {
    private static ControlMessage throughBytes(ControlMessage message) {
        ByteBuffer buffer = ByteBuffer.allocate(ControlMessage.MAX_BYTES);
        message.encode(buffer);
        return ControlMessage.decode(buffer.flip());
    }

    @Test
    void survivesTheWireWithMemory() {
        RemoteBuffer remote = RemoteBuffer.of(0xABCD_EF01, 0x7F00_0000_1000L, 64, Access.REMOTE_WRITE);
        ControlMessage message = new ControlMessage(Kind.READY, 7, -5, remote, "");

        assertThat(throughBytes(message)).isEqualTo(message);
    }

    @Test
    void survivesTheWireWithText() {
        ControlMessage message = new ControlMessage(Kind.REPORT, 26, Long.MIN_VALUE, null, "byte 3 differs: \u00b5");

        assertThat(throughBytes(message)).isEqualTo(message);
    }

    @Test
    void cutsTextThatIsTooLong() {
        ControlMessage message = new ControlMessage(Kind.REPORT, 0, 0, null, "x".repeat(1000));

        assertThat(throughBytes(message).text()).matches("x{400,}").hasSizeLessThan(ControlMessage.MAX_BYTES);
    }
}
