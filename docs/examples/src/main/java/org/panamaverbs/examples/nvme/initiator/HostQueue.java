package org.panamaverbs.examples.nvme.initiator;

import static org.panamaverbs.api.SendFlag.NONE;
import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.memory.Access.LOCAL_WRITE;
import static org.panamaverbs.memory.Access.REMOTE_READ;
import static org.panamaverbs.memory.Access.REMOTE_WRITE;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.examples.nvme.wire.Command;
import org.panamaverbs.examples.nvme.wire.Response;
import org.panamaverbs.examples.nvme.wire.SetupRejection;
import org.panamaverbs.examples.nvme.wire.SetupReply;
import org.panamaverbs.examples.nvme.wire.SetupRequest;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;

/** One queue of the controller, a connection: its commands, their answers, and the windows of their data. */
final class HostQueue implements AutoCloseable {
    // A bind, the capsule, and the invalidation if the controller leaves that to the host.
    private static final int POSTS = 3;

    private final int depth;
    private final RegisteredBuffer commands;
    private final RegisteredBuffer answers;
    private final List<MemoryWindow> windows = new ArrayList<>();
    private final Exchange[] exchanges;
    private final Response[] responses;
    private final int[] free;
    private int freeCount;
    private final QueuePair queuePair;
    private final SgList capsule = SgList.ofCapacity(2);
    private @Nullable Connection connection;

    /** Makes a queue of {@code depth} commands that is not connected, with a receive for each answer. */
    HostQueue(ProtectionDomain domain, CompletionQueue completions, int depth, Lending lending) {
        this.depth = depth;
        commands = domain.allocate((long) depth * Command.BYTES, LOCAL_WRITE);
        answers = domain.allocate((long) depth * Response.BYTES, LOCAL_WRITE);
        queuePair = domain.queuePair(QueuePairConfig.of(domain, completions)
                .withDepth(POSTS * depth, depth)
                .withSge(2, 1)
                .withAccess(REMOTE_READ, REMOTE_WRITE)
                .withAttachment(this));
        free = new int[depth];
        exchanges = new Exchange[depth];
        responses = new Response[depth];
        for (int i = 0; i < depth; i++) {
            MemoryWindow window = null;
            if (lending == Lending.WINDOWS) {
                window = domain.memoryWindow(MemoryWindow.Type.TYPE_2);
                windows.add(window);
            }
            exchanges[i] = new Exchange(new Command(commands.segment(), (long) i * Command.BYTES), window);
            responses[i] = new Response(answers.segment(), (long) i * Response.BYTES);
            free[freeCount++] = i;
            postReceive(i);
        }
    }

    /** Returns how many completions a queue of {@code depth} commands may have at once. */
    static int completions(int depth) {
        return (POSTS + 1) * depth;
    }

    /** Connects as queue {@code queueId}: what NVMe has to say of it is in the private data. */
    void connect(Verbs verbs, InetSocketAddress address, int queueId, int controllerId, Deadline deadline) {
        var request = new SetupRequest(queueId, depth, depth - 1, controllerId);
        var config = ConnectionConfig.defaults().withPrivateData(request.encode());
        try {
            connection = verbs.connect(address, queuePair, config, deadline);
        } catch (ConnectionException e) {
            if (e.reason() == ConnectionException.Reason.REJECTED) {
                throw new IllegalStateException(
                        "queue " + queueId + " was rejected: " + SetupRejection.text(e.privateData()), e);
            }
            throw e;
        }
        int receives = SetupReply.decode(connection.privateData()).receives();
        if (receives < depth - 1) {
            throw new IllegalStateException(
                    "queue " + queueId + " of " + depth + " commands: the controller takes only " + receives);
        }
    }

    /** Returns what carries the queue, for people. */
    String transport() {
        return connection == null ? "nothing" : connection.transport();
    }

    int depth() {
        return depth;
    }

    /** Takes a free place, to fill in its command and send it; returns -1 if there is none. */
    int place() {
        return freeCount == 0 ? -1 : free[--freeCount];
    }

    Exchange exchange(int place) {
        return exchanges[place];
    }

    /** Begins the command of type {@code opcode} at {@code place}. */
    Command begin(int place, int opcode) {
        return exchanges[place].command().begin(opcode, place);
    }

    /** Begins the fabrics command {@code type} at {@code place}. */
    Command beginFabrics(int place, int type) {
        return exchanges[place].command().beginFabrics(type, place);
    }

    /** Sends the command at {@code place}, which has no data. */
    void send(int place) {
        exchanges[place].begin(false);
        post(place, capsule.clear().add(commands, commandAt(place), Command.BYTES));
    }

    /** Sends the command at {@code place} with data in its capsule: gathered, so not copied. */
    void sendWithData(int place, RegisteredBuffer data, long offset, int length) {
        Exchange exchange = exchanges[place];
        exchange.command().inCapsule(length);
        exchange.begin(false);
        post(
                place,
                capsule.clear().add(commands, commandAt(place), Command.BYTES).add(data, offset, length));
    }

    /** Sends the command at {@code place}, and lends it its data: to be read if the controller is to get it. */
    void sendLending(int place, RegisteredBuffer data, long offset, int length, boolean toController) {
        Exchange exchange = exchanges[place];
        MemoryWindow window = exchange.window();
        if (window == null) {
            long address = data.checkedAddress(offset, length);
            exchange.command().keyed(Command.KEYED, address, length, data.rkey());
        } else {
            Access right = toController ? REMOTE_READ : REMOTE_WRITE;
            PostStatus.check(queuePair.bind(place, window, data, offset, length, NONE, right));
            long address = window.remote().address();
            exchange.command().keyed(Command.KEYED_INVALIDATE, address, length, window.rkey());
        }
        exchange.begin(window != null);
        post(place, capsule.clear().add(commands, commandAt(place), Command.BYTES));
    }

    private void post(int place, SgList pieces) {
        PostStatus.check(queuePair.send(place, pieces, SIGNALED));
    }

    private static long commandAt(int place) {
        return (long) place * Command.BYTES;
    }

    private void postReceive(int place) {
        PostStatus.check(queuePair.recv(place, answers, (long) place * Response.BYTES, Response.BYTES));
    }

    /** Takes a completion; returns the exchange that is over with it, null if none is. */
    @Nullable
    Exchange take(WorkCompletion completion) {
        if (!completion.ok()) {
            throw new IllegalStateException("initiator: " + completion
                    + queuePair.terminateCause().map(cause -> ", " + cause).orElse(""));
        }
        int place = (int) completion.wrId();
        switch (completion.opcode()) {
            case SEND -> exchanges[place].sent();
            case LOCAL_INVALIDATE -> exchanges[place].takenAway();
            case RECV -> place = answered(place, completion);
            default -> throw new IllegalStateException("initiator: " + completion);
        }
        if (!exchanges[place].isOver()) {
            return null;
        }
        free[freeCount++] = place;
        return exchanges[place];
    }

    /** Takes the answer in receive {@code receive}; returns the place of its command. */
    private int answered(int receive, WorkCompletion completion) {
        Response response = responses[receive];
        int place = response.commandId();
        if (completion.byteCount() != Response.BYTES || place >= depth || !exchanges[place].answered(response)) {
            throw new IllegalStateException("initiator: the controller answered a command that it does not have: "
                    + completion.byteCount() + " bytes, command " + place);
        }
        Exchange exchange = exchanges[place];
        MemoryWindow window = exchange.window();
        if (window != null && exchange.isLent()) {
            if (completion.hasInvalidatedRkey() && completion.invalidatedRkey() == window.rkey()) {
                exchange.takenAway();
            } else {
                PostStatus.check(queuePair.localInvalidate(place, window.rkey(), SIGNALED));
            }
        }
        postReceive(receive);
        return place;
    }

    /** Disconnects in order, if it is connected. */
    void disconnect(Deadline deadline) {
        if (connection != null) {
            connection.disconnect(deadline);
        }
    }

    @Override
    public void close() {
        if (connection != null) {
            connection.close();
        }
        queuePair.close();
        windows.forEach(MemoryWindow::close);
        answers.close();
        commands.close();
    }
}
