package org.panamaverbs.iwarp.net.unix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.bindings.libc.Libc;
import org.panamaverbs.iwarp.net.LibcCalls;

/** What peers send and nobody wants takes as long to close as they like: nobody waits for it. */
class DescriptorCloserTest extends UnixFixture {
    private static final int MANY = 16;

    private static void assertSoon(long begun) {
        assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun)).isLessThan(Lingering.SECONDS / 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 253})
    void doesNotWaitForWhatItRefuses(int count) throws IOException {
        try (UnixPair pair = UnixPair.open();
                Lingering sent = new Lingering(pair.left(), count)) {
            long begun = System.nanoTime();
            assertThatThrownBy(() -> {
                        try (FileMessage message = pair.right().receiveWithFile(ByteBuffer.allocate(1))) {
                            Objects.requireNonNull(message.file()).map(8192);
                        }
                    })
                    .isInstanceOf(IOException.class);
            assertSoon(begun);
            assertThat(sent.isOpen()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void doesNotWaitForWhatNobodyHasReceived(boolean urgent) throws IOException {
        try (UnixPair pair = UnixPair.open();
                Lingering sent = new Lingering(pair.left(), 1, urgent ? Libc.MSG_OOB() : 0)) {
            long begun = System.nanoTime();
            pair.right().close();
            assertSoon(begun);
            assertThat(sent.isOpen()).isTrue();
        }
    }

    @Test
    void doesNotWaitForWhatComesWithAnUrgentOctet() throws IOException {
        try (UnixPair pair = UnixPair.open();
                Lingering sent = new Lingering(pair.left(), 1, Libc.MSG_OOB())) {
            pair.left().send(ByteBuffer.allocate(1));
            long begun = System.nanoTime();
            int octets = 0;
            while (octets < 2) {
                int some = pair.right().receive(ByteBuffer.allocate(2));
                assertThat(some).as("bytes, also the urgent one").isPositive();
                octets += some;
            }
            assertSoon(begun);
            assertThat(sent.isOpen()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void doesNotWaitForWhatNobodyHasAccepted(boolean urgent) throws IOException {
        UnixName name = UnixPair.name();
        UnixServer server = UnixServer.listen(name, 1);
        asBeforeSixSixteen(server);
        UnixSocket client = UnixSocket.connect(name);
        try (Lingering sent = new Lingering(client, 1, urgent ? Libc.MSG_OOB() : 0)) {
            long begun = System.nanoTime();
            server.close();
            assertSoon(begun);
            assertThat(sent.isOpen()).isTrue();
        } finally {
            client.close();
        }
    }

    /** The process has as many descriptors as it may, so that what waits to be accepted cannot be. */
    @Test
    void doesNotWaitForWhatNobodyCanAccept() throws IOException {
        UnixName name = UnixPair.name();
        UnixServer server = UnixServer.listen(name, 1);
        asBeforeSixSixteen(server);
        UnixSocket client = UnixSocket.connect(name);
        try (Lingering sent = new Lingering(client, 1);
                OpenFiles limit = new OpenFiles()) {
            limit.allow(0);
            long begun = System.nanoTime();
            server.close();
            assertSoon(begun);
            assertThat(sent.isOpen()).isTrue();
        } finally {
            client.close();
        }
    }

    // Later kernels refuse what is sent there.
    private static void asBeforeSixSixteen(UnixServer server) {
        UnixCalls.passRights(server.descriptorOrNone(), true);
    }

    /** What all calls need is not kept by those that close, and as many as they are leave room for others. */
    @Test
    void othersGoOnWhileManyAreClosed() throws IOException {
        List<Lingering> endless = new ArrayList<>();
        try (UnixPair pair = UnixPair.open()) {
            long begun = System.nanoTime();
            keepClosersBusy(pair, endless);

            UnixPair.open().close();
            assertThat(SharedMemory.obstacle()).isEmpty();
            assertSoon(begun);
        } finally {
            endless.forEach(Lingering::close);
        }
    }

    @Test
    void takesNoMoreWhileTooManyWait() throws IOException {
        List<Lingering> endless = new ArrayList<>();
        try (UnixPair pair = UnixPair.open();
                SealedFile file = SealedFile.create("panama-verbs test", 8192)) {
            keepClosersBusy(pair, endless);
            while (!DescriptorCloser.isFull()) {
                SentDescriptors.send(pair.left(), file.descriptor(), 100);
                assertThatThrownBy(() -> pair.right().receiveWithFile(ByteBuffer.allocate(1)))
                        .hasMessageContaining("more than one file");
            }
            pair.left().send(ByteBuffer.allocate(1), file);

            assertThatThrownBy(() -> pair.right().receiveWithFile(ByteBuffer.allocate(1)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("still to be closed");
            assertThat(SharedMemory.obstacle())
                    .hasValueSatisfying(why -> assertThat(why).contains("still to be closed"));

            endless.forEach(Lingering::close);
            long begun = System.nanoTime();
            while (DescriptorCloser.isFull()) {
                assertSoon(begun);
                Thread.yield();
            }
            try (FileMessage message = pair.right().receiveWithFile(ByteBuffer.allocate(1))) {
                assertThat(message.file()).isNotNull();
            }
        } finally {
            endless.forEach(Lingering::close);
        }
    }

    private static void keepClosersBusy(UnixPair pair, List<Lingering> endless) throws IOException {
        for (int i = 0; i < MANY; i++) {
            endless.add(new Lingering(pair.left(), 1));
            pair.right().receive(ByteBuffer.allocate(1));
        }
    }

    /** How many descriptors this process may have; as before once it is closed. */
    private static final class OpenFiles implements AutoCloseable {
        private static final FunctionDescriptor SHAPE = FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG);
        private static final MethodHandle GETRLIMIT = LibcCalls.handle("getrlimit", SHAPE, false);
        private static final MethodHandle SETRLIMIT = LibcCalls.handle("setrlimit", SHAPE, false);

        private final long now;
        private final long most;

        OpenFiles() {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment limit = arena.allocate(2L * Long.BYTES, Long.BYTES);
                assertThat(UnixCalls.call(
                                state -> (int) GETRLIMIT.invokeExact(state, Libc.RLIMIT_NOFILE(), limit.address())))
                        .isZero();
                now = limit.get(JAVA_LONG, 0);
                most = limit.get(JAVA_LONG, Long.BYTES);
            }
        }

        void allow(long count) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment limit = arena.allocateFrom(JAVA_LONG, count, most);
                assertThat(UnixCalls.call(
                                state -> (int) SETRLIMIT.invokeExact(state, Libc.RLIMIT_NOFILE(), limit.address())))
                        .isZero();
            }
        }

        @Override
        public void close() {
            allow(now);
        }
    }
}
