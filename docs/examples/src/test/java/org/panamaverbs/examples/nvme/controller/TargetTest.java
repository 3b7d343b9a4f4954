package org.panamaverbs.examples.nvme.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.examples.command.Arguments;
import org.panamaverbs.examples.command.TwoEnds;
import org.panamaverbs.examples.nvme.initiator.Initiator;
import org.panamaverbs.examples.nvme.wire.Command;
import org.panamaverbs.examples.nvme.wire.ConnectData;
import org.panamaverbs.examples.nvme.wire.Opcode;
import org.panamaverbs.examples.nvme.wire.Property;
import org.panamaverbs.examples.nvme.wire.SetupRejection;
import org.panamaverbs.examples.nvme.wire.SetupRequest;
import org.panamaverbs.examples.nvme.wire.Status;

/** What the target says to hosts that do not keep to the protocol, and that it serves others afterwards. */
@Timeout(120)
class TargetTest {
    static final String NQN = "nqn.test";

    private static final int MEBIBYTE = 1 << 20;
    private static final int DEPTH = 32;
    private static final byte[] ADMIN = new SetupRequest(0, DEPTH, DEPTH - 1, 0).encode();
    private static final byte[] IO = new SetupRequest(1, DEPTH, DEPTH - 1, 0).encode();
    private static final int DNR = Status.DO_NOT_RETRY;

    /** What a test does to the target. */
    private interface Attack {
        void run(Verbs verbs, ProtectionDomain domain, InetSocketAddress server, Deadline deadline);
    }

    /**
     * Runs {@code attack}, which makes {@code hosts} controllers, and after it an initiator that must have its data.
     */
    private static void underAttack(int hosts, Attack attack) throws Exception {
        var out = new StringWriter();
        underAttack(hosts, out, attack);
        assertThat(out.toString()).contains("initiator: read 1,048,576 bytes");
    }

    private static void underAttack(int hosts, Writer out, Attack attack) throws Exception {
        var target = new Target(NQN, MEBIBYTE, 2, 32, hosts + 1);
        TwoEnds.run(
                Arguments.parse(TwoEnds.options(), List.of()),
                new PrintWriter(out, true),
                target::serveMemory,
                ends -> {
                    try (var verbs = Verbs.open();
                            var domain = verbs.protectionDomain()) {
                        attack.run(verbs, domain, ends.server(), ends.deadline());
                    }
                    new Initiator(NQN, MEBIBYTE, 2, 32, 1 << 16, true).run(ends);
                });
    }

    @Test
    void aSetUpIsCheckedAndRejectedWithItsReason() throws Exception {
        underAttack(0, (verbs, domain, server, deadline) -> {
            byte[] format = ADMIN.clone();
            format[0] = 1;
            rejected(verbs, domain, server, deadline, new byte[3], "invalid length");
            rejected(verbs, domain, server, deadline, format, "invalid record format");
            rejected(verbs, domain, server, deadline, setup(3, 32, 31), "invalid queue id");
            rejected(verbs, domain, server, deadline, setup(0, 65_535, 32), "send queue");
            rejected(verbs, domain, server, deadline, setup(1, 65_535, 65_535), "send queue");
            rejected(verbs, domain, server, deadline, setup(1, 32, 0), "send queue");
            rejected(verbs, domain, server, deadline, setup(1, 31, 31), "receive queue");
        });
    }

    private static byte[] setup(int queueId, int receives, int sends) {
        return new SetupRequest(queueId, receives, sends, 0).encode();
    }

    private static void rejected(
            Verbs verbs,
            ProtectionDomain domain,
            InetSocketAddress server,
            Deadline deadline,
            byte[] privateData,
            String reason) {
        assertThatThrownBy(() -> new RawQueue(verbs, domain, server, privateData, deadline))
                .isInstanceOfSatisfying(
                        ConnectionException.class,
                        e -> assertThat(SetupRejection.text(e.privateData())).contains(reason));
    }

    @Test
    void aConnectThatIsWrongIsAnsweredWithItsStatus() throws Exception {
        underAttack(1, (verbs, domain, server, deadline) -> {
            try (var queue = new RawQueue(verbs, domain, server, ADMIN, deadline)) {
                assertThat(queue.status(Opcode.IDENTIFY, c -> {})).isEqualTo(Status.SEQUENCE_ERROR | DNR);
                assertThat(queue.status(Opcode.FABRICS, c -> c.beginFabrics(Opcode.PROPERTY_GET, 1)))
                        .isEqualTo(Status.SEQUENCE_ERROR | DNR);

                queue.data(ConnectData.ANY_CONTROLLER, "nqn.other");
                assertThat(connect(queue, c -> {})).isEqualTo(Status.CONNECT_PARAMETER | DNR);
                queue.data(5, NQN);
                assertThat(connect(queue, c -> {})).isEqualTo(Status.CONNECT_PARAMETER | DNR);
                queue.data(ConnectData.ANY_CONTROLLER, NQN);
                assertThat(connect(queue, c -> c.dword(10, 1))).isEqualTo(Status.CONNECT_FORMAT | DNR);
                assertThat(connect(queue, c -> c.dword(10, 1 << 16))).isEqualTo(Status.CONNECT_PARAMETER | DNR);
                assertThat(connect(queue, c -> c.dword(11, 33))).isEqualTo(Status.CONNECT_PARAMETER | DNR);
                assertThat(connect(queue, c -> c.dword(11, 0))).isEqualTo(Status.CONNECT_PARAMETER | DNR);
                assertThat(connect(queue, c -> c.inCapsule(1023))).isEqualTo(Status.SGL_LENGTH | DNR);
                assertThat(connect(queue, c -> c.inCapsule(4097))).isEqualTo(Status.SGL_OFFSET | DNR);

                queue.connect(0, ConnectData.ANY_CONTROLLER);
                assertThat(connect(queue, c -> {})).isEqualTo(Status.SEQUENCE_ERROR | DNR);
                queue.disconnect();
            }
            try (var io = new RawQueue(verbs, domain, server, IO, deadline)) {
                io.data(77, NQN);
                assertThat(connect(io, c -> c.dword(10, 1 << 16))).isEqualTo(Status.CONNECT_PARAMETER | DNR);
                io.disconnect();
            }
        });
    }

    private static int connect(RawQueue queue, Consumer<Command> change) {
        return queue.status(Opcode.FABRICS, c -> {
            c.beginFabrics(Opcode.CONNECT, 1).dword(11, 31).inCapsule(ConnectData.BYTES);
            change.accept(c);
        });
    }

    @Test
    void anAdminCommandThatIsWrongIsAnsweredWithItsStatus() throws Exception {
        underAttack(1, (verbs, domain, server, deadline) -> {
            try (var queue = new RawQueue(verbs, domain, server, ADMIN, deadline)) {
                queue.connect(0, ConnectData.ANY_CONTROLLER);
                assertThat(queue.status(Opcode.IDENTIFY, c -> {})).isEqualTo(Status.SEQUENCE_ERROR | DNR);
                assertThat(set(queue, Property.CC, 1)).isZero();
                assertThat(get(queue, Property.CSTS))
                        .as("no such configuration")
                        .isEqualTo(Property.CSTS_FATAL);
                assertThat(set(queue, Property.CC, 0)).isZero();
                assertThat(set(queue, Property.CC, Property.CC_USUAL | Property.CC_ENABLE))
                        .isZero();
                assertThat(get(queue, Property.CSTS)).isEqualTo(Property.CSTS_READY);
                assertThat(set(queue, Property.VS, 1)).isEqualTo(Status.INVALID_FIELD | DNR);

                assertThat(identify(queue, 1, 4096)).isZero();
                assertThat(identify(queue, 1, 4095)).isEqualTo(Status.SGL_LENGTH | DNR);
                assertThat(identify(queue, 1, 0)).isEqualTo(Status.SGL_LENGTH | DNR);
                assertThat(identify(queue, 0x99, 4096)).isEqualTo(Status.INVALID_FIELD | DNR);
                assertThat(identify(queue, 3, 4096)).isEqualTo(Status.INVALID_NAMESPACE | DNR);
                assertThat(queue.status(Opcode.IDENTIFY, c -> c.dword(10, 1).inCapsule(4096)))
                        .as("data to the host is not in the capsule")
                        .isEqualTo(Status.INVALID_FIELD | DNR);
                assertThat(queue.status(
                                Opcode.GET_LOG_PAGE,
                                c -> c.dword(10, 0xFFFF_0001).dword(11, 0xFFFF)))
                        .isEqualTo(Status.INVALID_FIELD | DNR);
                assertThat(queue.status(Opcode.GET_LOG_PAGE, c -> c.dword(10, 0x70)))
                        .isEqualTo(Status.INVALID_LOG_PAGE | DNR);
                assertThat(queue.status(Opcode.SET_FEATURES, c -> c.dword(10, 0x33)))
                        .isEqualTo(Status.INVALID_FIELD | DNR);
                assertThat(queue.status(Opcode.KEEP_ALIVE, c -> {})).isZero();
                assertThat(queue.status(0x55, c -> {})).isEqualTo(Status.INVALID_OPCODE | DNR);
                for (int i = 0; i < 4; i++) {
                    queue.send(Opcode.ASYNC_EVENT, c -> {}, Command.BYTES);
                }
                assertThat(queue.status(Opcode.ASYNC_EVENT, c -> {})).isEqualTo(Status.ASYNC_LIMIT | DNR);
                queue.disconnect();
            }
        });
    }

    private static int set(RawQueue queue, int property, int value) {
        return queue.status(
                Opcode.FABRICS,
                c -> c.beginFabrics(Opcode.PROPERTY_SET, 1).dword(11, property).dword(12, value));
    }

    private static long get(RawQueue queue, int property) {
        assertThat(queue.status(
                        Opcode.FABRICS,
                        c -> c.beginFabrics(Opcode.PROPERTY_GET, 1).dword(11, property)))
                .isZero();
        return queue.result();
    }

    private static int identify(RawQueue queue, int what, int bytes) {
        return queue.status(Opcode.IDENTIFY, c -> lend(queue, c.namespace(9).dword(10, what), bytes));
    }

    private static Command lend(RawQueue queue, Command command, int bytes) {
        return command.keyed(
                Command.KEYED, queue.lent().iova(), bytes, queue.lent().rkey());
    }

    @Test
    void anIoCommandThatIsWrongIsAnsweredWithItsStatus() throws Exception {
        underAttack(1, (verbs, domain, server, deadline) -> {
            try (var admin = new RawQueue(verbs, domain, server, ADMIN, deadline);
                    var queue = new RawQueue(verbs, domain, server, IO, deadline)) {
                int controller = admin.connect(0, ConnectData.ANY_CONTROLLER);
                queue.data(controller, NQN);
                assertThat(connect(queue, c -> c.dword(10, 1 << 16)))
                        .as("of a controller that is not enabled")
                        .isEqualTo(Status.SEQUENCE_ERROR | DNR);
                set(admin, Property.CC, Property.CC_USUAL | Property.CC_ENABLE);
                queue.connect(1, controller);

                long blocks = MEBIBYTE / 512;
                assertThat(io(queue, Opcode.READ, 0, 8, 4096)).isZero();
                assertThat(io(queue, Opcode.WRITE, blocks - 8, 8, 4096)).isZero();
                for (long first : new long[] {blocks - 7, blocks, 1L << 55, Long.MAX_VALUE, Long.MIN_VALUE, -1}) {
                    assertThat(io(queue, Opcode.READ, first, 8, 4096)).isEqualTo(Status.LBA_RANGE | DNR);
                    assertThat(io(queue, Opcode.WRITE, first, 8, 4096)).isEqualTo(Status.LBA_RANGE | DNR);
                }
                assertThat(io(queue, Opcode.READ, 0, 65_536, 4096)).isEqualTo(Status.LBA_RANGE | DNR);
                assertThat(io(queue, Opcode.READ, 0, 8, 4095)).isEqualTo(Status.SGL_LENGTH | DNR);
                assertThat(io(queue, Opcode.WRITE, 0, 8, 1 << 20)).isEqualTo(Status.SGL_LENGTH | DNR);

                for (long address : new long[] {-1, -4095}) {
                    assertThat(queue.status(
                                    Opcode.WRITE,
                                    c -> blocks(c, 0, 8)
                                            .keyed(
                                                    Command.KEYED,
                                                    address,
                                                    4096,
                                                    queue.lent().rkey())))
                            .isEqualTo(Status.SGL_OFFSET | DNR);
                }
                for (long offset : new long[] {1, 4096, 4097, -1, -4096, Long.MIN_VALUE, Long.MAX_VALUE}) {
                    assertThat(queue.status(
                                    Opcode.WRITE, c -> blocks(c, 0, 8).keyed(Command.IN_CAPSULE, offset, 4096, 0)))
                            .as("data in the capsule from %d on", offset)
                            .isEqualTo(Status.SGL_OFFSET | DNR);
                }
                assertThat(queue.status(Opcode.WRITE, c -> blocks(c, 0, 7).keyed(Command.IN_CAPSULE, 512, 3584, 0)))
                        .isZero();
                assertThat(queue.status(Opcode.WRITE, c -> blocks(c, 0, 8).inCapsule(-1)))
                        .isEqualTo(Status.SGL_OFFSET | DNR);
                for (int type : new int[] {0x00, 0x20, 0x30, 0x41, 0x5A, 0xFF}) {
                    assertThat(queue.status(Opcode.WRITE, c -> blocks(c, 0, 8).keyed(type, 0, 4096, 0)))
                            .isEqualTo(Status.SGL_TYPE | DNR);
                }
                assertThat(queue.status(Opcode.READ, c -> blocks(c, 0, 8).namespace(2)))
                        .isEqualTo(Status.INVALID_NAMESPACE | DNR);
                assertThat(queue.status(0x55, c -> c.namespace(1))).isEqualTo(Status.INVALID_OPCODE | DNR);
                assertThat(queue.status(Opcode.FLUSH, c -> c.namespace(1))).isZero();
                queue.disconnect();
                admin.disconnect();
            }
        });
    }

    private static int io(RawQueue queue, int opcode, long first, int count, int bytes) {
        return queue.status(opcode, c -> lend(queue, blocks(c, first, count), bytes));
    }

    private static Command blocks(Command command, long first, int count) {
        return command.namespace(1).qword(10, first).dword(12, count - 1);
    }

    @Test
    void whatCannotBeAnsweredEndsItsConnectionAlone() throws Exception {
        underAttack(2, (verbs, domain, server, deadline) -> {
            try (var admin = new RawQueue(verbs, domain, server, ADMIN, deadline)) {
                admin.connect(0, ConnectData.ANY_CONTROLLER);
                try (var queue = new RawQueue(verbs, domain, server, ADMIN, deadline)) {
                    queue.connect(0, ConnectData.ANY_CONTROLLER);
                    queue.send(Opcode.KEEP_ALIVE, c -> {}, Command.BYTES - 1);
                    assertThat(queue.ends())
                            .as("a capsule without a whole command")
                            .isTrue();
                }
                try (var queue = new RawQueue(verbs, domain, server, IO, deadline)) {
                    queue.send(Opcode.READ, c -> {}, Command.BYTES + 4097);
                    assertThat(queue.ends())
                            .as("a capsule longer than any receive")
                            .isTrue();
                }
                try (var queue = new RawQueue(verbs, domain, server, IO, deadline)) {
                    queue.data(ConnectData.ANY_CONTROLLER, NQN);
                    int wrongKey = ~queue.lent().rkey();
                    queue.send(
                            Opcode.FABRICS,
                            c -> c.beginFabrics(Opcode.CONNECT, 1)
                                    .dword(10, 1 << 16)
                                    .dword(11, 31)
                                    .keyed(Command.KEYED, queue.lent().iova(), ConnectData.BYTES, wrongKey),
                            Command.BYTES);
                    assertThat(queue.ends()).as("a key that grants nothing").isTrue();
                }
                assertThat(get(admin, Property.VS)).as("the other connection").isEqualTo(Property.VERSION_1_3);
                admin.disconnect();
            }
        });
    }

    /** The target hears of commands of another queue first, and finds the bad capsule among them. */
    @Test
    void anEndThatIsFoundBeforeItsConnectionEndsThat() throws Exception {
        underAttack(1, (verbs, domain, server, deadline) -> {
            try (var admin = new RawQueue(verbs, domain, server, ADMIN, deadline)) {
                admin.connect(0, ConnectData.ANY_CONTROLLER);
                var over = new AtomicBoolean();
                var busy = CompletableFuture.runAsync(() -> {
                    while (!over.get()) {
                        get(admin, Property.VS);
                    }
                });
                try {
                    for (int i = 0; i < 200; i++) {
                        try (var queue = new RawQueue(verbs, domain, server, IO, deadline)) {
                            queue.send(Opcode.KEEP_ALIVE, c -> {}, Command.BYTES - 1);
                            assertThat(queue.ends()).isTrue();
                        }
                    }
                } finally {
                    over.set(true);
                    busy.join();
                }
                admin.disconnect();
            }
        });
    }

    /** The target stands still meanwhile, in what it prints of another host: then it takes and answers nothing. */
    @Test
    void moreCommandsThanAgreedEndTheirConnectionAlone() throws Exception {
        var out = new PausingWriter("is gone, after");
        underAttack(2, out, (verbs, domain, server, deadline) -> {
            try (var many = new RawQueue(verbs, domain, server, ADMIN, deadline)) {
                many.connect(0, ConnectData.ANY_CONTROLLER);
                try (var leaving = new RawQueue(verbs, domain, server, ADMIN, deadline)) {
                    leaving.connect(0, ConnectData.ANY_CONTROLLER);
                    leaving.disconnect();
                    out.awaitPause(deadline);
                }
                for (int i = 0; i <= DEPTH; i++) {
                    many.send(Opcode.KEEP_ALIVE, c -> {}, Command.BYTES);
                }
                assertThat(many.ends()).isTrue();
            } finally {
                out.resume();
            }
        });
        assertThat(out.toString()).contains("initiator: read 1,048,576 bytes");
    }

    /** Its queue, once it has a controller, ends by what it said of itself, long before one without ends. */
    @Test
    void aHostThatIsSilentForTooLongIsEndedAlone() throws Exception {
        var out = new StringWriter();
        underAttack(2, out, (verbs, domain, server, deadline) -> {
            try (var quiet = new RawQueue(verbs, domain, server, ADMIN, deadline);
                    var silent = new RawQueue(verbs, domain, server, ADMIN, deadline)) {
                quiet.connect(0, ConnectData.ANY_CONTROLLER);
                silent.beginConnect(50);
                assertThat(silent.ends()).as("it is to be heard of every 50 ms").isTrue();
                assertThat(get(quiet, Property.VS))
                        .as("it said nothing of that")
                        .isEqualTo(Property.VERSION_1_3);
                quiet.disconnect();
            }
        });
        assertThat(out.toString())
                .contains("target: nothing was heard on queue 0 in time")
                .contains("initiator: read 1,048,576 bytes");
    }
}
