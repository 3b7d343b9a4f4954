package org.panamaverbs.bench.compare.contestant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.panamaverbs.bench.compare.contestant.Children.Child;
import org.panamaverbs.bench.compare.contestant.Children.FailedException;
import org.panamaverbs.bench.machine.Machine;

/** Processes end, whatever they do. */
@Timeout(30)
@EnabledOnOs(OS.LINUX)
class ChildrenTest {
    @TempDir
    Path directory;

    private String cpu = "";

    @BeforeEach
    void chooseProcessor() throws IOException {
        cpu = Machine.allowed();
    }

    @Test
    void returnsWhatAChildWrote() throws Exception {
        try (Children children = new Children(directory, Duration.ofSeconds(20))) {
            Child child = children.start(cpu, Map.of("WHO", "me"), List.of("sh", "-c", "echo port 7; echo $WHO"));
            assertThat(children.awaitLine(child, "port ")).isEqualTo("7");
            assertThat(children.finish(child)).isEqualTo("port 7\nme\n");
        }
    }

    @Test
    void saysWhatAChildThatFailedSaid() throws Exception {
        try (Children children = new Children(directory, Duration.ofSeconds(20))) {
            Child child = children.start(cpu, Map.of(), List.of("sh", "-c", "echo no device; exit 3"));
            assertThatThrownBy(() -> children.awaitLine(child, "port "))
                    .isInstanceOf(FailedException.class)
                    .hasMessageContaining("exit status 3: no device");
        }
    }

    @Test
    void endsAChildByItsDeadline() throws Exception {
        try (Children children = new Children(directory, Duration.ofSeconds(1))) {
            Child child = children.start(cpu, Map.of(), List.of("sleep", "100"));
            assertThatThrownBy(() -> children.finish(child))
                    .isInstanceOf(FailedException.class)
                    .hasMessageContaining("did not end in 1 s");
        }
    }

    @Test
    void leavesNoChildBehind() throws Exception {
        Child child;
        try (Children children = new Children(directory, Duration.ofSeconds(20))) {
            child = children.start(cpu, Map.of(), List.of("sh", "-c", "echo port 1; sleep 100; echo"));
            children.awaitLine(child, "port ");
        }
        assertThat(child.process().isAlive()).isFalse();
        assertThat(child.process().descendants()).isEmpty();
    }

    @Test
    void knowsWhoListens() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(Children.Ports.isListening(socket.getLocalPort())).isTrue();
        }
        assertThat(Children.Ports.isListening(Children.Ports.free())).isFalse();
    }
}
