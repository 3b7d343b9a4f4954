package org.panamaverbs.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(value = OS.LINUX, disabledReason = "memfd_create is Linux only")
class SharedMemoryTest {
    private static final long OWN_PROCESS = ProcessHandle.current().pid();

    @Test
    void isSharedWithAnotherProcess() throws Exception {
        try (MemorySlab slab = MemorySlab.shared("panama-verbs-test", 5000)) {
            slab.segment().set(ValueLayout.JAVA_LONG, 0, SharedMemoryPeer.GREETING);
            String fd = Integer.toString(slab.fileDescriptor());
            FutureTask<ChildJvm.Result> peer = new FutureTask<>(
                    () -> ChildJvm.run(SharedMemoryPeer.class, List.of(), Long.toString(OWN_PROCESS), fd));
            Thread.ofPlatform().start(peer);
            // Atomic with the other process, which adds to the same cell.
            for (int i = 0; i < SharedMemoryPeer.ROUNDS || !peer.isDone(); i++) {
                MaskedAtomics.fetchAdd(slab.segment(), 16, 1L << 32, 1L << 63);
                MaskedAtomics.fetchAdd(slab.segment(), 24, 1, 0);
            }
            assertThat(peer.get().output())
                    .as("no warning of native access either")
                    .isEqualToIgnoringWhitespace("opened 5000 bytes");
            assertThat(peer.get().exitCode()).isZero();
            assertThat(slab.segment().get(ValueLayout.JAVA_LONG, 8)).isEqualTo(SharedMemoryPeer.ANSWER);
            long both = slab.segment().get(ValueLayout.JAVA_LONG, 16);
            assertThat((int) both).isEqualTo(SharedMemoryPeer.ROUNDS);
            assertThat(both >>> 32).isEqualTo(slab.segment().get(ValueLayout.JAVA_INT, 24) & 0x7FFF_FFFFL);
        }
    }

    @Test
    void isSharedByASecondMappingInThisProcess() {
        try (MemorySlab slab = MemorySlab.shared("panama-verbs-test", 8192);
                MemorySlab again = MemorySlab.openShared(OWN_PROCESS, slab.fileDescriptor())) {
            assertThat(again.segment().address()).isNotEqualTo(slab.segment().address());
            slab.segment().set(ValueLayout.JAVA_INT, 4096, 42);
            assertThat(again.segment().get(ValueLayout.JAVA_INT, 4096)).isEqualTo(42);
            assertThatThrownBy(again::fileDescriptor)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("was not created by shared()");
        }
    }

    @Test
    void outlivesTheSlabThatMadeItInOtherMappings() {
        MemorySlab slab = MemorySlab.shared("panama-verbs-test", 64);
        int fd = slab.fileDescriptor();
        try (MemorySlab again = MemorySlab.openShared(OWN_PROCESS, fd)) {
            slab.segment().set(ValueLayout.JAVA_INT, 0, 7);
            slab.close();
            assertThat(again.segment().get(ValueLayout.JAVA_INT, 0)).isEqualTo(7);
        }
        assertThat(Files.exists(Path.of("/proc/self/fd/" + fd)))
                .as("the descriptor is closed")
                .isFalse();
    }

    @Test
    void cannotBeShrunkUnderItsUsers() throws IOException {
        try (MemorySlab slab = MemorySlab.shared("panama-verbs-test", 8192);
                FileChannel file =
                        FileChannel.open(Path.of("/proc/self/fd/" + slab.fileDescriptor()), StandardOpenOption.WRITE)) {
            assertThatThrownBy(() -> file.truncate(1)).isInstanceOf(IOException.class);
            assertThat(file.size()).isEqualTo(8192);
        }
    }

    @Test
    void whatIsSharedToBeReadIsWrittenByItsMakerAlone() throws IOException {
        try (MemorySlab slab = MemorySlab.sharedToRead("panama-verbs-test", 8192)) {
            assertThat(slab.sharing()).isEqualTo(MemorySlab.Sharing.READ);
            slab.segment().set(ValueLayout.JAVA_INT, 4096, 42);
            Path path = Path.of("/proc/self/fd/" + slab.fileDescriptor());
            try (MemorySlab again = MemorySlab.map(path, 0, 8192, false)) {
                assertThat(again.segment().get(ValueLayout.JAVA_INT, 4096)).isEqualTo(42);
            }
            assertThatThrownBy(() -> MemorySlab.openShared(OWN_PROCESS, slab.fileDescriptor()))
                    .isInstanceOf(UncheckedIOException.class);
            try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
                assertThatThrownBy(() -> file.write(ByteBuffer.allocate(1))).isInstanceOf(IOException.class);
            }
        }
    }

    @Test
    void saysWhatOthersCanDo() {
        try (MemorySlab shared = MemorySlab.shared("panama-verbs-test", 64);
                MemorySlab plain = MemorySlab.allocate(64)) {
            assertThat(shared.sharing()).isEqualTo(MemorySlab.Sharing.WRITE);
            assertThat(plain.sharing()).isEqualTo(MemorySlab.Sharing.NONE);
            assertThat(MemorySlab.containing(shared.segment().asSlice(8, 8))).isSameAs(shared);
        }
    }

    @Test
    void isNamedInTheMapsOfTheProcess() throws IOException {
        try (MemorySlab slab = MemorySlab.shared("panama-verbs-named", 4096)) {
            assertThat(slab.segment().address() % slab.pageBytes()).isZero();
            assertThat(Files.readString(Path.of("/proc/self/maps"))).contains("/memfd:panama-verbs-named");
        }
    }

    @Test
    void refusesWhatTheKernelRefuses() {
        assertThatThrownBy(() -> MemorySlab.shared("x".repeat(300), 4096))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("memfd_create failed: EINVAL");
        assertThatThrownBy(() -> MemorySlab.shared("huge", Long.MAX_VALUE))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("Cannot m");
        assertThatThrownBy(() -> MemorySlab.openShared(OWN_PROCESS, 1 << 30))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("/fd/" + (1 << 30));
    }
}
