package org.panamaverbs.channel;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.channel.flow.Frame;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.memory.Resources;

/** A peer that speaks verbs and not, or not well, the protocol: it ends its own channel, and no other. */
@Timeout(120)
@ParameterizedClass
@EnumSource(names = {"SENDS_OVER_TCP", "RING_OVER_TCP"})
class HostilePeerTest {
    /** The kind of a header whose payload is in the ring. */
    private static final long LARGE = 5;

    private final Pair.Form form;
    private final ChannelConfig config;
    private final Resources scope = new Resources();
    private Pair pair;
    private Verbs verbs;
    private ProtectionDomain domain;
    private CompletionQueue queue;
    private RegisteredBuffer memory;

    HostilePeerTest(Pair.Form form) {
        this.form = form;
        this.config = form.small();
    }

    @BeforeEach
    void open() {
        pair = scope.add(new Pair(form, config));
        verbs = scope.add(Verbs.open(form.provider()));
        domain = scope.add(verbs.protectionDomain());
        queue = scope.add(verbs.completionQueue(512));
        memory = scope.add(domain.allocate(1 << 16, Access.LOCAL_WRITE, Access.REMOTE_WRITE));
    }

    @AfterEach
    void close() {
        scope.close();
    }

    private byte[] setup() {
        return new Setup(form.way, config, memory.rkey(), memory.iova()).encode();
    }

    private QueuePair queuePair() {
        QueuePair made = scope.add(domain.queuePair(
                QueuePairConfig.of(domain, queue).withDepth(128, 128).withAccess(Access.REMOTE_WRITE)));
        for (int i = 0; i < 100; i++) {
            PostStatus.check(made.recv(i, memory, 32768 + i * 256L, 256));
        }
        return made;
    }

    /** The pair that the peer has nothing to do with still carries messages. */
    private void othersGoOn() {
        int[] taken = {0};
        MessageHandler handler = (channel, segment, offset, length) -> taken[0]++;
        pair.publish(Pair.message(1, 100), handler);
        pair.until(handler, () -> taken[0] == 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nothing",
                "magic",
                "version",
                "way",
                "ring bytes",
                "receives",
                "receive bytes",
                "longest message"
            })
    void refusesFalsePrivateData(String what) {
        ByteBuffer data = ByteBuffer.wrap(setup());
        switch (what) {
            case "magic" -> data.putInt(0, 7);
            case "version" -> data.putShort(4, (short) 99);
            case "way" -> data.putShort(6, (short) -1);
            case "ring bytes" -> data.putInt(8, 1 << 30);
            case "receives" -> data.putInt(12, -1);
            case "receive bytes" -> data.putInt(16, 0);
            case "longest message" -> data.putInt(20, Integer.MAX_VALUE);
            default -> data = ByteBuffer.allocate(what.length());
        }
        byte[] said = data.array();
        var connecting = CompletableFuture.supplyAsync(() -> scope.add(verbs.connect(
                pair.listener.localAddress(),
                queuePair(),
                ConnectionConfig.defaults().withPrivateData(said),
                pair.deadline)));
        assertThatThrownBy(() -> pair.subscribers.accept(pair.listener.accept(pair.deadline), pair.deadline))
                .isInstanceOf(ChannelException.class)
                .hasMessageContaining("; remedy: ");
        assertThatThrownBy(connecting::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(ConnectionException.class);
        assertThat(pair.subscribers.size()).isEqualTo(1);
        othersGoOn();
    }

    @Test
    void refusesAFalseAnswer() {
        var accepting = CompletableFuture.supplyAsync(() -> {
            ProtectionDomain its = scope.add(pair.verbs.protectionDomain());
            QueuePairConfig queuePair = QueuePairConfig.of(its, scope.add(pair.verbs.completionQueue(16)));
            return scope.add(pair.listener
                    .accept(pair.deadline)
                    .accept(queuePair, ConnectionConfig.defaults().withPrivateData(new byte[40]), pair.deadline));
        });
        assertThatThrownBy(() -> pair.publishers.connect(pair.listener.localAddress(), pair.deadline))
                .isInstanceOf(ChannelException.class)
                .hasMessageContaining("begins with 0x00000000")
                .hasMessageContaining("; remedy: ");
        accepting.join();
        assertThat(pair.publishers.size()).isEqualTo(1);
        othersGoOn();
    }

    private record Hostile(Channel victim, QueuePair queuePair, RemoteBuffer ring) {}

    private Hostile connect() {
        return connect(setup());
    }

    private Hostile connect(byte[] said) {
        QueuePair its = queuePair();
        var connecting = CompletableFuture.supplyAsync(() -> scope.add(verbs.connect(
                pair.listener.localAddress(), its, ConnectionConfig.defaults().withPrivateData(said), pair.deadline)));
        Channel victim = pair.subscribers.accept(pair.listener.accept(pair.deadline), pair.deadline);
        Connection connection = connecting.join();
        return new Hostile(victim, its, Setup.ring(connection.privateData(), config));
    }

    /** Else the bytes of a message, which may be the peer's own, would count as headers of what is in doubt. */
    @Test
    void endsTheChannelOfAReleaseIntoAMessage() {
        Hostile hostile = connect();
        Publisher publisher = hostile.victim().publisher();
        byte[] message = ByteBuffer.allocate(24)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong((long) Frame.DATA << 32 | 8)
                .putLong(42)
                .array();
        assertThat(publisher.offer(MemorySegment.ofArray(message), 0, 24)).isPositive();
        long behindTheRing = config.ringBytes(); // the message may arrive in the ring only now
        Frame.putCredit(memory.segment(), behindTheRing, 8, 0);
        PostStatus.check(hostile.queuePair().send(1, memory, behindTheRing, Frame.CREDIT_BYTES, SendFlag.SIGNALED));
        PostStatus.check(hostile.queuePair().send(2, memory, 0, 7, SendFlag.SIGNALED));
        while (hostile.victim().state() == Channel.State.OPEN) {
            assertThat(pair.deadline.passed()).isFalse();
            queue.poll(WorkCompletions.ofCapacity(8));
            pair.subscribers.poll((channel, segment, offset, length) -> {}, 16);
        }

        assertThat(hostile.victim().failure())
                .get()
                .extracting(Throwable::getMessage)
                .asString()
                .contains("a credit for what was not sent");
        assertThat(publisher.releasedPosition()).isZero();
        List<byte[]> again = new ArrayList<>();
        assertThat(publisher.inDoubt(
                        (channel, segment, offset, length) -> again.add(Pair.bytes(segment, offset, length))))
                .isTrue();
        assertThat(again).singleElement().isEqualTo(message);
    }

    private void expectBroken(Channel victim) {
        expectEnded(victim, "the peer broke the protocol with ");
    }

    private void expectEnded(Channel victim, String why) {
        while (victim.state() == Channel.State.OPEN) {
            assertThat(pair.deadline.passed()).as("the channel goes on").isFalse();
            queue.poll(WorkCompletions.ofCapacity(8));
            pair.subscribers.poll((channel, segment, offset, length) -> {}, 16);
        }
        assertThat(victim.failure())
                .get()
                .extracting(Throwable::getMessage)
                .asString()
                .contains(why, "; remedy: ");
        assertThat(victim.publisher().tryClaim(8)).isEqualTo(Publisher.NOT_CONNECTED);
        while (!victim.subscriber().isClosed()) {
            assertThat(pair.deadline.passed())
                    .as("there is always more to take")
                    .isFalse();
            pair.subscribers.poll((channel, segment, offset, length) -> {}, 16);
        }
        victim.close();
        othersGoOn();
    }

    @Test
    void endsTheChannelOfACreditForWhatWasNotSent() {
        Hostile peer = connect();
        Frame.putCredit(memory.segment(), 0, 8, 0);
        PostStatus.check(peer.queuePair.send(1, memory, 0, Frame.CREDIT_BYTES, SendFlag.SIGNALED));
        expectBroken(peer.victim);
    }

    @Test
    void endsTheChannelOfReceivesThatWereNotTaken() {
        Hostile peer = connect();
        Frame.putCredit(memory.segment(), 0, 0, Long.MIN_VALUE);
        PostStatus.check(peer.queuePair.send(1, memory, 0, Frame.CREDIT_BYTES, SendFlag.SIGNALED));
        expectBroken(peer.victim);
    }

    @Test
    void endsTheChannelOfASendThatIsNoFrame() {
        Hostile peer = connect();
        PostStatus.check(peer.queuePair.send(1, memory, 0, 3, SendFlag.SIGNALED));
        expectBroken(peer.victim);
    }

    @Test
    void endsTheChannelOfWhatTheWayDoesNotHave() {
        Hostile peer = connect();
        long immediate = form.way == Way.RING ? 4096 + 8 : 8;
        PostStatus.check(peer.queuePair.immediate(1, immediate, SendFlag.SIGNALED));
        expectBroken(peer.victim);
    }

    @Test
    void endsTheChannelOfAFrameThatIsNone() {
        Hostile peer = connect();
        memory.segment().set(JAVA_LONG, 0, -1L);
        send(peer, 0, 16, 16);
        expectBroken(peer.victim);
    }

    @Test
    void endsTheChannelOfARingThatCannotBeWritten() {
        Hostile peer = connect(new Setup(form.way, config, ~memory.rkey(), memory.iova()).encode());
        byte[] message = Pair.message(1, 1000);
        assertThat(peer.victim.publisher().offer(MemorySegment.ofArray(message), 0, 1000))
                .isPositive();
        expectEnded(peer.victim, "the connection was lost");
    }

    /** A header whose payload is in the ring: beyond its end, longer than a message, or with more behind. */
    @ParameterizedTest
    @CsvSource({"8, 1016, 3200", "8, 1017, 0", "16, 1000, 0", "8, 2147483647, 0", "8, -1, 0"})
    void endsTheChannelOfALargeMessageThatCannotBe(int bytes, int length, int position) {
        Hostile peer = connect();
        int[] taken = {0};
        MessageHandler counts = (channel, segment, offset, count) -> taken[0]++;
        for (int at = 0; at < position; at += 200) {
            memory.segment().set(JAVA_LONG, 0, (long) Frame.DATA << 32 | 192);
            send(peer, at, 200, 200);
            int before = taken[0];
            pair.until(counts, () -> taken[0] > before);
        }
        memory.segment().set(JAVA_LONG, 0, LARGE << 32 | (length & 0xffff_ffffL));
        send(peer, position, bytes, bytes);
        expectBroken(peer.victim);
        assertThat(taken[0]).isEqualTo(position / 200);
    }

    /** Sends {@code bytes} at {@code offset} of the stream, which says that it has {@code announced} more. */
    private void send(Hostile peer, long offset, int bytes, int announced) {
        PostStatus.check(
                form.way == Way.SENDS
                        ? peer.queuePair.send(1, memory, 0, announced, SendFlag.SIGNALED)
                        : peer.queuePair.writeWithImmediate(
                                1, memory, 0, bytes, peer.ring, offset, announced, SendFlag.SIGNALED));
    }

    @Test
    void takesNothingThatArrivesBehindAViolation() {
        Hostile peer = connect();
        memory.segment().set(JAVA_LONG, 0, (long) Frame.DATA << 32 | 8);
        send(peer, 0, 16, 16);
        send(peer, 16, 16, 3);
        send(peer, 16, 16, 16);
        for (int completed = 0; completed < 3; ) {
            completed += queue.poll(WorkCompletions.ofCapacity(8));
        }
        int[] taken = {0};
        pair.until((channel, segment, offset, length) -> taken[0]++, peer.victim.subscriber()::isClosed);
        assertThat(peer.victim.failure()).isPresent();
        assertThat(taken[0]).isEqualTo(1);
    }

    @Test
    void writesIntoTheRingOfNoOtherChannel() {
        Hostile peer = connect();
        Hostile other = connect();
        PostStatus.check(peer.queuePair.write(1, memory, 0, 8, other.ring, 0, SendFlag.SIGNALED));
        expectEnded(peer.victim, "the connection was lost");
        assertThat(other.victim.state()).isEqualTo(Channel.State.OPEN);
    }

    /** Frames of any kind and length, valid ones among them, and Writes into the ring, until the channel has ended. */
    @Test
    void survivesGarbage() {
        // With SENDS no receive holds as much.
        int[] large = {0};
        MessageHandler reads = (channel, segment, offset, length) -> {
            assertThat(Pair.bytes(segment, offset, length)).hasSize(length);
            large[0] += length > config.receiveBytes() ? 1 : 0;
        };
        for (long seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            Hostile peer = connect();
            for (int i = 0; i < 40 && peer.victim.state() == Channel.State.OPEN; i++) {
                int bytes = random.nextBoolean() ? Frame.HEADER_BYTES : 8 * random.nextInt(1, 32);
                for (int at = 0; at < bytes; at += 8) {
                    memory.segment().set(JAVA_LONG, at, garbage(random));
                }
                if (random.nextInt(3) > 0) {
                    // Right as far as it goes, so that more follows it.
                    boolean alone = bytes == Frame.HEADER_BYTES;
                    long length = alone ? random.nextInt(1_100) : bytes - Frame.HEADER_BYTES;
                    memory.segment().set(JAVA_LONG, 0, (alone ? LARGE : Frame.DATA) << 32 | length);
                }
                int offset = random.nextInt(4096 - bytes + 1);
                if (random.nextInt(4) == 0) {
                    assertThat(peer.queuePair.write(i, memory, 0, bytes, peer.ring, offset, SendFlag.SIGNALED))
                            .isGreaterThanOrEqualTo(PostStatus.NOT_CONNECTED);
                }
                int status = form.way == Way.SENDS
                        ? peer.queuePair.send(i, memory, 0, bytes, SendFlag.SIGNALED)
                        : peer.queuePair.writeWithImmediate(
                                i, memory, 0, bytes, peer.ring, offset, random.nextInt(64) * 8L, SendFlag.SIGNALED);
                assertThat(status).isGreaterThanOrEqualTo(PostStatus.NOT_CONNECTED);
                queue.poll(WorkCompletions.ofCapacity(16));
                pair.subscribers.poll(reads, 16);
            }
            // What no peer sends, so that all before it has been taken.
            assertThat(peer.queuePair.send(40, memory, 0, 3, SendFlag.SIGNALED))
                    .isGreaterThanOrEqualTo(PostStatus.NOT_CONNECTED);
            while (peer.victim.state() == Channel.State.OPEN) {
                assertThat(pair.deadline.passed()).as("the channel goes on").isFalse();
                queue.poll(WorkCompletions.ofCapacity(16));
                pair.subscribers.poll(reads, 16);
            }
            peer.victim.close();
            peer.queuePair.close();
        }
        if (form.way == Way.SENDS) {
            assertThat(large[0]).as("large messages handed out").isPositive();
        }
        othersGoOn();
    }

    /** A word, or a header, mostly of a kind that there is, with up to more bytes than a message may have. */
    private static long garbage(Random random) {
        int length = random.nextInt(random.nextBoolean() ? 64 : 1_100);
        return switch (random.nextInt(8)) {
            case 0 -> random.nextLong();
            case 1 -> random.nextLong(1 << 10) << 32 | length;
            default -> random.nextLong(LARGE + 1) << 32 | length;
        };
    }
}
