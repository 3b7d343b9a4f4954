package org.panamaverbs.examples.nvme.controller;

import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.memory.Access.LOCAL_WRITE;
import static org.panamaverbs.memory.Access.REMOTE_READ;
import static org.panamaverbs.memory.Access.REMOTE_WRITE;

import java.net.InetSocketAddress;
import java.util.UUID;
import java.util.function.Consumer;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.examples.nvme.wire.Command;
import org.panamaverbs.examples.nvme.wire.ConnectData;
import org.panamaverbs.examples.nvme.wire.Opcode;
import org.panamaverbs.examples.nvme.wire.Response;
import org.panamaverbs.memory.RegisteredBuffer;

/** A queue of a host that sends what a test likes, one capsule after the other. */
final class RawQueue implements AutoCloseable {
    /** Bytes of memory that the target may read and write. */
    static final int LENT_BYTES = 2 << 20;

    private static final int RECEIVES = 64;
    private static final int ANSWER_AT = 1 << 14;

    private final Deadline deadline;
    private final RegisteredBuffer capsule;
    private final RegisteredBuffer lent;
    private final CompletionQueue queue;
    private final Connection connection;
    private final WorkCompletions completions = WorkCompletions.ofCapacity(1);
    private final Command command;
    private final Response response;

    RawQueue(Verbs verbs, ProtectionDomain domain, InetSocketAddress server, byte[] privateData, Deadline deadline) {
        this.deadline = deadline;
        capsule = domain.allocate(ANSWER_AT + Response.BYTES, LOCAL_WRITE);
        lent = domain.allocate(LENT_BYTES, LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE);
        queue = verbs.completionQueue(4 * RECEIVES);
        command = new Command(capsule.segment(), 0);
        response = new Response(capsule.segment(), ANSWER_AT);
        try {
            connection = verbs.connect(
                    server,
                    QueuePairConfig.of(domain, queue).withAccess(REMOTE_READ, REMOTE_WRITE),
                    ConnectionConfig.defaults().withPrivateData(privateData),
                    deadline);
        } catch (RuntimeException e) {
            queue.close();
            lent.close();
            capsule.close();
            throw e;
        }
        for (int i = 0; i < RECEIVES; i++) {
            postReceive();
        }
    }

    private void postReceive() {
        PostStatus.check(connection.queuePair().recv(0, capsule, ANSWER_AT, Response.BYTES));
    }

    /** Connects the queue as a good host would; returns the controller's id. */
    int connect(int queueId, int controllerId) {
        data(controllerId, TargetTest.NQN);
        int status = status(Opcode.FABRICS, connecting(queueId, 0));
        if (status != 0) {
            throw new IllegalStateException("Connect: " + Integer.toHexString(status));
        }
        return (int) response.result() & 0xFFFF;
    }

    /** Asks for a controller of a host that is heard of every {@code keepAliveMillis}, and waits for no answer. */
    void beginConnect(int keepAliveMillis) {
        data(ConnectData.ANY_CONTROLLER, TargetTest.NQN);
        send(Opcode.FABRICS, connecting(0, keepAliveMillis), Command.BYTES + ConnectData.BYTES);
    }

    private static Consumer<Command> connecting(int queueId, int keepAliveMillis) {
        return c -> c.beginFabrics(Opcode.CONNECT, 1)
                .dword(10, queueId << 16)
                .dword(11, 31)
                .dword(12, keepAliveMillis)
                .inCapsule(ConnectData.BYTES);
    }

    /** Puts the data of a Connect both into the capsule and into what is lent. */
    void data(int controllerId, String subsystem) {
        var data = new ConnectData(new UUID(1, 2), controllerId, subsystem, "nqn.host");
        data.encode(capsule.segment(), Command.BYTES);
        data.encode(lent.segment(), 0);
    }

    /** Returns the result of the last answer. */
    long result() {
        return response.result();
    }

    RegisteredBuffer lent() {
        return lent;
    }

    /** Sends a command with 4096 bytes of data behind it; returns the status that it is answered with. */
    int status(int opcode, Consumer<Command> filling) {
        send(opcode, filling, Command.BYTES + 4096);
        while (true) {
            queue.poll(completions, deadline);
            if (!completions.get(0).ok()) {
                throw new IllegalStateException("the connection ended: " + completions.get(0));
            }
            if (completions.get(0).opcode() == WcOpcode.RECV) {
                postReceive();
                return response.status();
            }
        }
    }

    /** Sends {@code bytes} bytes of a capsule, and waits for nothing. */
    void send(int opcode, Consumer<Command> filling, int bytes) {
        command.begin(opcode, 1);
        filling.accept(command);
        PostStatus.check(connection.queuePair().send(0, capsule, 0, bytes, SIGNALED));
    }

    /** Tells whether the target ends the connection, by the deadline. */
    boolean ends() {
        return connection.awaitDisconnect(deadline);
    }

    /** Disconnects as a good host would. */
    void disconnect() {
        connection.disconnect(deadline);
    }

    @Override
    public void close() {
        connection.close();
        queue.close();
        lent.close();
        capsule.close();
    }
}
