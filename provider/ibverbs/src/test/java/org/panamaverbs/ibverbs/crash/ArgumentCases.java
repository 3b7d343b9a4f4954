package org.panamaverbs.ibverbs.crash;

import static org.panamaverbs.ibverbs.crash.Expect.either;
import static org.panamaverbs.ibverbs.crash.Expect.failure;
import static org.panamaverbs.ibverbs.crash.Expect.refused;
import static org.panamaverbs.ibverbs.crash.Expect.soon;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairAttributes.Field;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.device.Availability;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.device.ProviderReport;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;

/** Wrong keys, addresses, lengths, states, and objects of others. */
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
final class ArgumentCases {
    private ArgumentCases() {}

    static List<CrashCase> all() {
        return List.of(
                new CrashCase("wrong-lkey", stage -> raw(stage, 0, 64, 0x5EAD_BEEF, 0)),
                new CrashCase("wrong-rkey", stage -> raw(stage, 0, 64, 0, 0x5EAD_BEEF)),
                new CrashCase("length-beyond-local-buffer", stage -> raw(stage, 64, Side.BUFFER_BYTES, 0, 0)),
                new CrashCase("address-before-local-buffer", stage -> raw(stage, -4096, 64, 0, 0)),
                new CrashCase("null-local-address", ArgumentCases::nullAddress),
                new CrashCase("wrong-remote-range", ArgumentCases::remoteRange),
                new CrashCase("impossible-lengths", ArgumentCases::impossibleLengths),
                new CrashCase("garbage-flags", ArgumentCases::garbageFlags),
                new CrashCase("inline-too-long", ArgumentCases::inlineTooLong),
                new CrashCase("too-many-pieces", ArgumentCases::tooManyPieces),
                new CrashCase("receive-too-short", ArgumentCases::receiveTooShort),
                new CrashCase("misaligned-atomic", ArgumentCases::misalignedAtomic),
                new CrashCase("buffer-of-another-domain", ArgumentCases::bufferOfAnotherDomain),
                new CrashCase("objects-of-another-context", ArgumentCases::anotherContext),
                new CrashCase("objects-of-another-provider", ArgumentCases::anotherProvider),
                new CrashCase("illegal-states-out-of-band", ArgumentCases::illegalStates),
                new CrashCase("illegal-attributes", ArgumentCases::illegalAttributes),
                new CrashCase("connect-connected-queue-pair", ArgumentCases::connectTwice),
                new CrashCase("connect-failed-queue-pair", ArgumentCases::connectFailed),
                new CrashCase("post-before-connecting", ArgumentCases::postBeforeConnecting));
    }

    /** Posts a Write that differs from a correct one by what is not 0; its completion must be an error. */
    private static String raw(Stage stage, long shift, long length, int lkey, int rkey) throws Exception {
        Pair pair = stage.pair();
        RegisteredBuffer local = stage.buffer(pair.a().verbs(), pair.a().domain(), Side.BUFFER_BYTES);
        int status = pair.qpA()
                .post(WorkRequest.of(SendOpcode.RDMA_WRITE)
                        .wrId(1)
                        .local(local.iova() + shift, length, lkey == 0 ? local.lkey() : lkey)
                        .remote(
                                pair.b().buffer().iova(),
                                rkey == 0 ? pair.b().buffer().rkey() : rkey)
                        .flags(SendFlag.SIGNALED));
        if (status < 0) {
            return PostStatus.text(status);
        }
        Expect.Completed completed = Expect.completion(pair.a().queue());
        // An iWARP Write succeeds when it was sent; the peer's refusal ends the stream.
        Expect.that(!completed.ok() || pair.connectionA().awaitDisconnect(soon()), "neither an error nor a disconnect");
        return completed.toString();
    }

    private static String nullAddress(Stage stage) throws Exception {
        Pair pair = stage.pair();
        int lkey = pair.a().buffer().lkey();
        int status = pair.qpA()
                .post(WorkRequest.of(SendOpcode.SEND).wrId(1).local(0, 64, lkey).flags(SendFlag.SIGNALED));
        String sent = status < 0 ? PostStatus.text(status) : failure(pair.a().queue());
        String received = PostStatus.text(pair.qpB().postRecv(2, 0, 64, lkey));
        return sent + "; receive " + received;
    }

    private static String remoteRange(Stage stage) throws Exception {
        Pair pair = stage.pair();
        RegisteredBuffer buffer = pair.a().buffer();
        pair.qpA()
                .post(WorkRequest.of(SendOpcode.RDMA_READ)
                        .wrId(1)
                        .local(buffer.iova(), 64, buffer.lkey())
                        .remote(
                                pair.b().buffer().iova() + Side.BUFFER_BYTES - 32,
                                pair.b().buffer().rkey())
                        .flags(SendFlag.SIGNALED));
        return failure(pair.a().queue());
    }

    private static String impossibleLengths(Stage stage) throws Exception {
        Pair pair = stage.pair();
        RegisteredBuffer buffer = pair.a().buffer();
        StringBuilder said = new StringBuilder();
        for (long length : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32, (1L << 32) + 64}) {
            int status = pair.qpA()
                    .post(WorkRequest.of(SendOpcode.SEND)
                            .wrId(1)
                            .local(buffer.iova(), length, buffer.lkey())
                            .flags(SendFlag.SIGNALED));
            Expect.that(status < 0, "a post of " + length + " bytes was accepted");
            said.append(length).append(": ").append(PostStatus.text(status)).append("; ");
            status = pair.qpA().postRecv(1, buffer.iova(), length, buffer.lkey());
            Expect.that(status < 0, "a receive of " + length + " bytes was accepted");
        }
        refused(
                "send of -1 bytes",
                IndexOutOfBoundsException.class,
                () -> pair.qpA().send(1, buffer, 0, -1, SendFlag.SIGNALED));
        pair.works();
        return said.toString();
    }

    private static String garbageFlags(Stage stage) throws Exception {
        Pair pair = stage.pair();
        int status = pair.qpA().send(1, pair.a().buffer(), 0, 8, 0xFFFF_FF00);
        Expect.that(status < 0, "unknown flags were accepted");
        pair.works();
        return PostStatus.text(status);
    }

    private static String inlineTooLong(Stage stage) throws Exception {
        Pair pair = stage.pair();
        int longer = pair.qpA().config().maxInlineBytes() + 1;
        MemorySegment data = MemorySegment.ofArray(new byte[longer]);
        int status = pair.qpA().sendInline(1, data, 0, longer, SendFlag.SIGNALED);
        Expect.that(status == PostStatus.INLINE_TOO_LONG, "answered " + PostStatus.text(status));
        int flagged = pair.qpA().send(1, pair.a().buffer(), 0, longer, SendFlag.SIGNALED | SendFlag.INLINE);
        Expect.that(flagged == PostStatus.INLINE_TOO_LONG, "answered " + PostStatus.text(flagged));
        refused(
                "inline beyond the segment",
                IndexOutOfBoundsException.class,
                () -> pair.qpA().sendInline(1, data, longer, 1, SendFlag.SIGNALED));
        pair.works();
        return PostStatus.text(status);
    }

    private static String tooManyPieces(Stage stage) throws Exception {
        Pair pair = stage.pair();
        int pieces = Math.min(256, pair.qpA().config().maxSendSge() + 1);
        SgList list = SgList.ofCapacity(pieces);
        for (int i = 0; i < pieces; i++) {
            list.add(pair.a().buffer(), 0, 1);
        }
        int status = pair.qpA().send(1, list, SendFlag.SIGNALED);
        Expect.that(status == PostStatus.TOO_MANY_SEGMENTS, "answered " + PostStatus.text(status));
        pair.works();
        return PostStatus.text(status);
    }

    private static String receiveTooShort(Stage stage) throws Exception {
        Pair pair = stage.pair();
        Expect.that(pair.qpB().recv(1, pair.b().buffer(), 0, 8) >= 0, "a receive was refused");
        Expect.that(pair.qpA().send(2, pair.a().buffer(), 0, 4096, SendFlag.SIGNALED) >= 0, "a send was refused");
        return failure(pair.b().queue());
    }

    private static String misalignedAtomic(Stage stage) throws Exception {
        Pair pair = stage.pair();
        Stage.requires(pair.a().verbs(), Feature.ATOMICS);
        int status = pair.qpA()
                .post(WorkRequest.of(SendOpcode.FETCH_ADD)
                        .wrId(1)
                        .local(
                                pair.a().buffer().iova(),
                                Long.BYTES,
                                pair.a().buffer().lkey())
                        .remote(pair.b().buffer().iova() + 3, pair.b().buffer().rkey())
                        .add(1)
                        .flags(SendFlag.SIGNALED));
        return status < 0 ? PostStatus.text(status) : failure(pair.a().queue());
    }

    private static String bufferOfAnotherDomain(Stage stage) throws Exception {
        Pair pair = stage.pair();
        RegisteredBuffer foreign =
                stage.buffer(pair.a().verbs(), stage.add(pair.a().verbs().protectionDomain()), 4096);
        Expect.that(pair.qpA().send(1, foreign, 0, 64, SendFlag.SIGNALED) >= 0, "the post was refused");
        return failure(pair.a().queue());
    }

    private static String anotherContext(Stage stage) {
        Side side = stage.side();
        Side other = stage.side();
        String said = refused(
                "queue pair with a queue of another context",
                IllegalArgumentException.class,
                () -> stage.add(side.domain().queuePair(side.config(other.queue()))));
        refused(
                "completion queue with a channel of another context",
                IllegalArgumentException.class,
                () -> stage.add(side.verbs()
                        .completionQueue(CompletionQueueConfig.of(16)
                                .withChannel(stage.add(other.verbs().completionChannel())))));
        QueuePair queuePair = other.queuePair();
        refused(
                "connect with a queue pair of another context",
                IllegalArgumentException.class,
                () -> stage.add(
                        side.verbs().connect(stage.anyPort(), queuePair, Stage.connection(side.verbs()), soon())));
        return said;
    }

    private static String anotherProvider(Stage stage) {
        String otherProvider = Verbs.providers().stream()
                .filter(report -> !report.name().equals(stage.provider()))
                .filter(report -> report.availability() instanceof Availability.Available)
                .map(ProviderReport::name)
                .findFirst()
                .orElseThrow(() -> new Skipped("no other provider has a device here"));
        Side side = stage.side();
        Verbs other = stage.add(Verbs.open(org.panamaverbs.api.OpenConfig.provider(otherProvider)));
        CompletionQueue foreign = stage.add(other.completionQueue(16));
        return refused(
                "queue pair with a queue of " + otherProvider,
                IllegalArgumentException.class,
                () -> stage.add(side.domain().queuePair(side.config(foreign))));
    }

    private static String illegalStates(Stage stage) throws Exception {
        StringBuilder said = new StringBuilder();
        Side side = stage.side();
        for (QueuePairState state : QueuePairState.values()) {
            QueuePair fresh = side.queuePair();
            said.append(either("INIT to " + state, () -> fresh.modify(QueuePairAttributes.to(state))))
                    .append("; ");
            either("post in " + state, () -> fresh.send(1, side.buffer(), 0, 8, SendFlag.SIGNALED));
            either("recv in " + state, () -> fresh.recv(2, side.buffer(), 0, 8));
            fresh.close();
        }
        for (QueuePairState state : QueuePairState.values()) {
            Pair pair = stage.pair();
            said.append(either("connected to " + state, () -> pair.qpA().modify(QueuePairAttributes.to(state))))
                    .append("; ");
            either("post in " + state, () -> pair.qpA().send(1, pair.a().buffer(), 0, 8, SendFlag.SIGNALED));
            pair.connectionA().close();
            pair.qpA().close();
        }
        stage.pair().works();
        return said.toString();
    }

    private static String illegalAttributes(Stage stage) throws Exception {
        StringBuilder said = new StringBuilder();
        Side side = stage.side();
        for (Field field : Field.values()) {
            for (long value : new long[] {-1, 0x7FFF_FFFFL, Long.MAX_VALUE}) {
                QueuePair fresh = side.queuePair();
                QueuePairAttributes attributes =
                        QueuePairAttributes.to(QueuePairState.RTR).set(field, value);
                said.append(either(field + " " + value, () -> fresh.modify(attributes))
                                .length())
                        .append(' ');
                either("without a state", () -> fresh.modify(new QueuePairAttributes().set(field, value)));
                fresh.close();
            }
        }
        either("nothing", () -> side.queuePair().modify(new QueuePairAttributes()));
        either("type", () -> stage.add(side.domain().queuePair(side.config().withType(QueuePairType.UD))));
        stage.pair().works();
        return "answers of these lengths: " + said;
    }

    private static String connectTwice(Stage stage) throws Exception {
        Pair pair = stage.pair();
        Listener listener = stage.add(pair.b().verbs().listen(stage.anyPort()));
        Connection[] again = new Connection[1];
        String said = either(
                "connect",
                () -> again[0] = stage.add(pair.a()
                        .verbs()
                        .connect(
                                listener.localAddress(),
                                pair.qpA(),
                                Stage.connection(pair.a().verbs()),
                                soon())));
        Expect.that(again[0] == null, "a connected queue pair was connected once more");
        pair.works();
        return said;
    }

    private static String connectFailed(Stage stage) {
        Side side = stage.side();
        Listener listener = stage.add(side.verbs().listen(stage.anyPort()));
        QueuePair failed = side.queuePair();
        failed.modify(QueuePairAttributes.to(QueuePairState.ERROR));
        String said = either(
                "connect",
                () -> stage.add(
                        side.verbs().connect(listener.localAddress(), failed, Stage.connection(side.verbs()), soon())));
        Expect.that(!said.endsWith(": done"), "a failed queue pair was connected");
        return said;
    }

    private static String postBeforeConnecting(Stage stage) {
        Side side = stage.side();
        QueuePair idle = side.queuePair();
        int status = idle.send(1, side.buffer(), 0, 8, SendFlag.SIGNALED);
        Expect.that(status == PostStatus.NOT_CONNECTED, "answered " + PostStatus.text(status));
        Expect.that(idle.recv(2, side.buffer(), 0, 8) >= 0, "a receive was refused");
        return PostStatus.text(status) + ", with " + Access.format(side.buffer().access());
    }
}
