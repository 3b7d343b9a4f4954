package org.panamaverbs.iwarp.engine.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.panamaverbs.iwarp.engine.device.EventLoop;
import org.panamaverbs.iwarp.engine.device.IwarpOptions;
import org.panamaverbs.iwarp.net.SystemSockets;
import org.panamaverbs.iwarp.net.TcpSocket;
import org.panamaverbs.iwarp.net.unix.SealedFile;
import org.panamaverbs.iwarp.shm.DirectDomains;

/** A set-up of shared memory of which not everything could be closed at once. */
@Timeout(60)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
class SameHostTransportCloseTest {
    @Test
    void whatCouldNotBeUnmappedIsUnmappedByTheNextClose() throws Exception {
        EventLoop loop = EventLoop.start(SystemSockets.libc());
        TcpSocket socket = SystemSockets.libc().open(false);
        RingQuota quota = new RingQuota(1);
        AnsweringTransport transport = new AnsweringTransport(
                socket,
                "",
                IwarpOptions.parse(Map.of(), new Properties()).sharedMemory(),
                quota,
                new DirectDomains(() -> "of no use here"),
                new KeptRings(loop),
                () -> 0);
        assertThat(transport.takePlace()).isTrue();
        transport.makeFile();
        SealedFile own = transport.ownFile();
        try (FileInUse using = new FileInUse(own)) {
            assertThat(using).isNotNull();
            assertThatThrownBy(() -> transport.close(false)).isInstanceOf(IllegalStateException.class);
            assertThat(own.memory().scope().isAlive()).isTrue();
            assertThat(socket.isOpen()).isFalse();
            assertThat(quota.take()).as("a place while its memory is mapped").isFalse();
        }

        transport.close(false);
        assertThat(own.memory().scope().isAlive()).isFalse();
        assertThat(quota.take()).isTrue();
        assertThat(quota.take()).as("given back once").isFalse();
        loop.close();
    }
}
