package org.panamaverbs.channel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.memory.Resources;

/** A channel of provider iwarp with both its ends, each of a group and a device of its own, polled by one thread. */
final class Pair implements AutoCloseable {
    final Deadline deadline = Deadline.in(60, TimeUnit.SECONDS);
    final Verbs verbs;
    final ChannelGroup publishers;
    final ChannelGroup subscribers;
    final Listener listener;

    /** The end that has connected. */
    final Channel out;

    /** The end that has accepted. */
    final Channel in;

    private final Resources scope = new Resources();

    /** What carries a channel, and how it goes. */
    enum Form {
        SENDS_OVER_TCP("off", Way.SENDS),
        SENDS_OVER_SHARED_MEMORY("auto", Way.SENDS),
        RING_OVER_TCP("off", Way.RING),
        RING_OVER_SHARED_MEMORY("auto", Way.RING);

        final String shm;
        final Way way;

        Form(String shm, Way way) {
            this.shm = shm;
            this.way = way;
        }

        OpenConfig provider() {
            return OpenConfig.provider("iwarp").with("shm", shm);
        }

        /** Rings of 4 KiB and receives of 256 bytes: everything wraps soon. */
        ChannelConfig small() {
            return ChannelConfig.defaults().withWay(way).withRingBytes(4096).withReceives(64, 256);
        }
    }

    Pair(Form form, ChannelConfig config) {
        this(form, config, config);
    }

    Pair(Form form, ChannelConfig connecting, ChannelConfig accepting) {
        boolean made = false;
        try {
            verbs = scope.add(Verbs.open(form.provider()));
            Verbs other = scope.add(Verbs.open(form.provider()));
            publishers = scope.add(ChannelGroup.open(other, connecting));
            subscribers = scope.add(ChannelGroup.open(verbs, accepting));
            listener = scope.add(verbs.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
            Channel[] ends = connect();
            out = ends[0];
            in = ends[1];
            made = true;
        } finally {
            if (!made) {
                scope.close();
            }
        }
    }

    /** Connects one more channel. */
    Channel[] connect() {
        var connecting = CompletableFuture.supplyAsync(() -> publishers.connect(listener.localAddress(), deadline));
        Channel accepted = subscribers.accept(listener.accept(deadline), deadline);
        return new Channel[] {connecting.join(), accepted};
    }

    /** Polls both groups until {@code done}. */
    void until(MessageHandler outs, MessageHandler ins, BooleanSupplier done) {
        while (!done.getAsBoolean()) {
            assertThat(deadline.passed()).as("not done before the deadline").isFalse();
            publishers.poll(outs, 16);
            subscribers.poll(ins, 16);
        }
    }

    void until(MessageHandler ins, BooleanSupplier done) {
        until(Pair::unexpected, ins, done);
    }

    private static void unexpected(Channel channel, MemorySegment memory, long offset, int length) {
        throw new AssertionError("an unexpected message of " + length + " bytes");
    }

    /** Publishes {@code message}, and lets {@code ins} take what is there as long as it is back-pressured. */
    long publish(byte[] message, MessageHandler ins) {
        MemorySegment bytes = MemorySegment.ofArray(message);
        long position = out.publisher().offer(bytes, 0, message.length);
        while (position == Publisher.BACK_PRESSURED) {
            assertThat(deadline.passed())
                    .as("back-pressured until the deadline")
                    .isFalse();
            subscribers.poll(ins, 16);
            position = out.publisher().offer(bytes, 0, message.length);
        }
        assertThat(position).as(Publisher.text(position)).isPositive();
        return position;
    }

    /** Publishes short messages until the window is full, more than may be posted at once; returns how many. */
    static int fill(Publisher publisher) {
        int published = 0;
        while (publisher.tryClaim(8) > 0) {
            publisher.claim().commit();
            published++;
        }
        assertThat(published).isGreaterThan(100);
        return published;
    }

    /** Returns the message of this number: as long as asked for, and unlike its neighbours. */
    static byte[] message(int number, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (number * 31 + i);
        }
        return bytes;
    }

    static byte[] bytes(MemorySegment memory, long offset, int length) {
        return memory.asSlice(offset, length).toArray(JAVA_BYTE);
    }

    /** Starts a process with the class path of this one. */
    static Process start(Class<?> main, String... arguments) throws Exception {
        URL self = Objects.requireNonNull(Pair.class.getResource("Pair.class"));
        int depth = Pair.class.getName().split("\\.").length;
        Path root = Path.of(self.toURI()).resolve("../".repeat(depth)).normalize();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                String.join(
                        File.pathSeparator,
                        root.toString(),
                        System.getProperty("jdk.module.path", ""),
                        System.getProperty("java.class.path")),
                main.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).inheritIO().start();
    }

    @Override
    public void close() {
        scope.close();
    }
}
