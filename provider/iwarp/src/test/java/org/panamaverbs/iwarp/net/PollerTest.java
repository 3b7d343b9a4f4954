package org.panamaverbs.iwarp.net;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.testkit.Waits;

/** Pollers do the same in each form. */
@Timeout(120)
class PollerTest {
    private static final long LONG_MILLIS = 30_000;

    @ParameterizedTest
    @MethodSource("org.panamaverbs.iwarp.net.Pair#forms")
    void passesOnWhoIsReadyForWhatItIsWatchedFor(String form) throws IOException {
        Sockets sockets = Pair.sockets(form);
        Poller poller = sockets.poller();
        List<Object> ready = new ArrayList<>();
        try (Pair pair = Pair.of(sockets)) {
            Watch watch = poller.register(pair.server(), Watch.READ, "server");
            poller.select(found -> ready.add(found.attachment()), 0);
            assertThat(ready).isEmpty();

            pair.client().write(ByteBuffer.allocateDirect(3));
            poller.select(found -> ready.add(found.attachment()), LONG_MILLIS);
            assertThat(ready).containsExactly("server");
            assertThat(watch.isWritable()).isFalse();

            watch.interest(0);
            assertThat(watch.interest()).isZero();
            poller.select(found -> ready.add("unwanted"), 0);
            watch.interest(Watch.READ | Watch.WRITE);
            watch.attach("other");
            poller.select(
                    found -> ready.add(found.attachment() + (found.isWritable() ? " writable" : "")), LONG_MILLIS);
            assertThat(ready).containsExactly("server", "other writable");

            watch.cancel();
            poller.select(found -> ready.add("unwanted"), 0);
            assertThat(ready).hasSize(2);
            pair.server().close();
            watch.interest(Watch.READ);
        } finally {
            poller.close();
        }
    }

    @ParameterizedTest
    @MethodSource("org.panamaverbs.iwarp.net.Pair#forms")
    void waitsForNothingWhereAnotherThreadClosedTheSocketWhileItBecameReady(String form) throws IOException {
        Sockets sockets = Pair.sockets(form);
        Poller poller = sockets.poller();
        List<Watch> ready = new ArrayList<>();
        try (Pair pair = Pair.of(sockets)) {
            poller.register(pair.server(), Watch.READ | Watch.WRITE, "server");
            poller.select(
                    found -> {
                        pair.server().close();
                        assertThat(found.isWritable()).isFalse();
                        found.interest(Watch.READ);
                        assertThat(found.interest()).isZero();
                        ready.add(found);
                    },
                    LONG_MILLIS);
            assertThat(ready).hasSize(1);
        } finally {
            poller.close();
        }
    }

    @ParameterizedTest
    @MethodSource("org.panamaverbs.iwarp.net.Pair#forms")
    void tellsOfTheEndAlsoWithoutInterestInInputAgain(String form) throws IOException {
        Sockets sockets = Pair.sockets(form);
        Poller poller = sockets.poller();
        List<Object> ready = new ArrayList<>();
        try (Pair pair = Pair.of(sockets)) {
            Watch watch = poller.register(pair.server(), 0, "server");
            pair.client().close(true);
            // A hang-up that nobody wants to hear of must not keep the thread awake.
            poller.select(found -> ready.add("unwanted"), 10);
            assertThat(ready).isEmpty();
            watch.interest(Watch.READ);
            poller.select(found -> ready.add(found.attachment()), LONG_MILLIS);
            assertThat(ready).containsExactly("server");
        } finally {
            poller.close();
        }
    }

    @ParameterizedTest
    @MethodSource("org.panamaverbs.iwarp.net.Pair#forms")
    void givesTheNumberOfAClosedSocketToAnotherWithoutMixingThemUp(String form) throws IOException {
        Sockets sockets = Pair.sockets(form);
        Poller poller = sockets.poller();
        try {
            for (int i = 0; i < 100; i++) {
                try (Pair pair = Pair.of(sockets)) {
                    Watch old = poller.register(pair.server(), Watch.READ, "old");
                    pair.server().close();
                    poller.select(found -> {}, 0);
                    try (Pair next = Pair.of(sockets)) {
                        List<Object> ready = new ArrayList<>();
                        poller.register(next.server(), Watch.READ, "new");
                        old.interest(Watch.WRITE);
                        old.cancel();
                        next.client().write(ByteBuffer.allocateDirect(3));
                        while (ready.isEmpty()) {
                            poller.select(found -> ready.add(found.attachment()), LONG_MILLIS);
                        }
                        assertThat(ready).containsExactly("new");
                    }
                }
            }
        } finally {
            poller.close();
        }
    }

    @ParameterizedTest
    @MethodSource("org.panamaverbs.iwarp.net.Pair#forms")
    void passesOnNobodyWhoWasClosedByTheOneBefore(String form) throws IOException {
        Sockets sockets = Pair.sockets(form);
        Poller poller = sockets.poller();
        try (Pair one = Pair.of(sockets);
                Pair two = Pair.of(sockets)) {
            poller.register(one.server(), Watch.READ, two);
            poller.register(two.server(), Watch.READ, one);
            for (Pair pair : List.of(one, two)) {
                pair.client().write(ByteBuffer.allocateDirect(3));
            }
            List<Object> ready = new ArrayList<>();
            poller.select(
                    found -> {
                        ready.add(found);
                        ((Pair) found.attachment()).server().close();
                    },
                    LONG_MILLIS);
            assertThat(ready).hasSize(1);
        } finally {
            poller.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "libc"})
    void wakesUpAsOftenAsItIsToldTo(String form) throws Exception {
        Sockets sockets = Pair.sockets(form);
        Poller poller = sockets.poller();
        try {
            poller.wakeup();
            poller.select(found -> {}, Poller.FOREVER);
            for (int i = 0; i < 50; i++) {
                Thread waiting = Thread.ofPlatform().start(() -> {
                    try {
                        poller.select(found -> {}, Poller.FOREVER);
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                });
                poller.wakeup();
                waiting.join(LONG_MILLIS);
                assertThat(waiting.isAlive()).isFalse();
            }
        } finally {
            poller.close();
            poller.wakeup();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "libc"})
    void losesNoWakeupThatComesWhileItTakesTheOneBefore(String form) throws Exception {
        Poller poller = Pair.sockets(form).poller();
        AtomicBoolean over = new AtomicBoolean();
        FutureTask<Void> waiting = new FutureTask<>(() -> {
            while (!over.get()) {
                poller.select(found -> {}, Poller.FOREVER);
            }
            return null;
        });
        Thread.ofPlatform().daemon().start(waiting);
        try {
            Thread[] waking = new Thread[3];
            for (int i = 0; i < waking.length; i++) {
                waking[i] = Thread.ofPlatform().daemon().start(() -> wakeForAWhile(poller));
            }
            for (Thread each : waking) {
                each.join(LONG_MILLIS);
            }
            over.set(true);
            poller.wakeup();
            waiting.get(LONG_MILLIS, TimeUnit.MILLISECONDS);
        } finally {
            poller.close();
        }
    }

    private static void wakeForAWhile(Poller poller) {
        long enough = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
        while (System.nanoTime() - enough < 0) {
            poller.wakeup();
        }
    }

    @ParameterizedTest
    @MethodSource("org.panamaverbs.iwarp.net.Pair#forms")
    void watchesWhatAnotherThreadRegistersMeanwhile(String form) throws Exception {
        int count = 40;
        Sockets sockets = Pair.sockets(form);
        Poller poller = sockets.poller();
        List<Pair> pairs = new ArrayList<>();
        Set<Object> ready = new HashSet<>();
        try {
            FutureTask<Void> registering = new FutureTask<>(() -> {
                for (int i = 0; i < count; i++) {
                    Pair pair = Pair.of(sockets);
                    pairs.add(pair);
                    pair.client().write(ByteBuffer.allocateDirect(3));
                    poller.register(pair.server(), Watch.READ, i);
                }
                return null;
            });
            Thread.ofPlatform().start(registering);
            var deadline = Waits.deadline();
            while (!deadline.passed() && ready.size() < count) {
                poller.select(
                        found -> {
                            found.interest(0);
                            ready.add(found.attachment());
                        },
                        1);
            }
            registering.get(LONG_MILLIS, TimeUnit.MILLISECONDS);
        } finally {
            poller.close();
        }
        assertThat(ready).hasSize(count);
        assertThat(pairs).noneMatch(pair -> pair.server().isOpen());
        for (Pair pair : pairs) {
            pair.close();
        }
    }

    @ParameterizedTest
    @MethodSource("org.panamaverbs.iwarp.net.Pair#forms")
    void watchesNothingOnceItIsClosed(String form) throws IOException {
        Sockets sockets = Pair.sockets(form);
        Poller poller = sockets.poller();
        poller.close();
        try (Pair pair = Pair.of(sockets)) {
            assertThatThrownBy(() -> poller.register(pair.server(), Watch.READ, "late"))
                    .isInstanceOf(IOException.class)
                    .hasMessage("the poller is closed");
        }
    }

    @ParameterizedTest
    @MethodSource("org.panamaverbs.iwarp.net.Pair#forms")
    void seesConnectionsComeAndAttemptsEnd(String form) throws IOException {
        Sockets sockets = Pair.sockets(form);
        Poller poller = sockets.poller();
        TcpServer listener = sockets.listen(Pair.ANY_PORT, 4, true);
        TcpSocket client = sockets.open(false);
        try {
            poller.register(listener, Watch.READ, "listener");
            poller.register(client, Watch.WRITE, "client");
            List<Object> ready = new ArrayList<>();
            boolean connected = client.connect(listener.localAddress());
            var deadline = Waits.deadline();
            while (!deadline.passed() && !(ready.contains("listener") && (connected || ready.contains("client")))) {
                poller.select(found -> ready.add(found.attachment()), LONG_MILLIS);
            }
            assertThat(ready).contains("listener");
            assertThat(client.finishConnect()).isTrue();
            Objects.requireNonNull(listener.accept()).close();
        } finally {
            poller.close();
        }
        assertThat(listener.isOpen()).isFalse();
        assertThat(client.isOpen()).isFalse();
    }

    /**
     * As where the system has no memory for a watch (ENOMEM, ENOSPC): here since the number is that of a file for a
     * while, which epoll does not take.
     */
    @Test
    void watchThatTheSystemRefusesIsTriedAgainByWhoeverWaits() throws Throwable {
        Sockets sockets = Pair.sockets("libc");
        Poller poller = sockets.poller();
        List<Object> ready = new ArrayList<>();
        try (Pair pair = Pair.of(sockets)) {
            Watch watch = poller.register(pair.server(), 0, "server");
            int number = ((LibcDescriptor) pair.server()).descriptorOrNone();
            int socket = duplicate(number);
            coverWithFile(number);
            watch.interest(Watch.READ);
            pair.client().write(ByteBuffer.allocateDirect(3));

            // The wait may be under way by then.
            FutureTask<Boolean> waiting = new FutureTask<>(() -> {
                for (int turns = 0; ready.isEmpty() && turns < 1000; turns++) {
                    poller.select(found -> ready.add(found.attachment()), LONG_MILLIS);
                }
                return true;
            });
            Thread.ofPlatform().daemon().start(waiting);
            cover(number, socket);
            SocketCalls.close(socket);
            waiting.get(20, TimeUnit.SECONDS);

            assertThat(ready).containsExactly("server");
            assertThat(watch.interest()).isEqualTo(Watch.READ);
        } finally {
            poller.close();
        }
    }

    private static int duplicate(int descriptor) throws Throwable {
        return (int) LibcCalls.withoutErrno("dup", FunctionDescriptor.of(JAVA_INT, JAVA_INT))
                .invokeExact(descriptor);
    }

    /** Has the number {@code descriptor} be that of what {@code other} is. */
    private static void cover(int descriptor, int other) throws Throwable {
        int covered = (int) LibcCalls.withoutErrno("dup2", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT))
                .invokeExact(other, descriptor);
        assertThat(covered).isEqualTo(descriptor);
    }

    private static void coverWithFile(int descriptor) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            int file = (int) LibcCalls.withoutErrno(
                            "memfd_create", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT))
                    .invokeExact(arena.allocateFrom("panama-verbs a test").address(), 0);
            cover(descriptor, file);
            SocketCalls.close(file);
        }
    }
}
