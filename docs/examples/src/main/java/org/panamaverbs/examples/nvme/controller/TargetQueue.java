package org.panamaverbs.examples.nvme.controller;

import static org.panamaverbs.api.SendFlag.NONE;
import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.memory.Access.LOCAL_WRITE;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.PendingConnection;
import org.panamaverbs.examples.nvme.wire.Command;
import org.panamaverbs.examples.nvme.wire.Response;
import org.panamaverbs.examples.nvme.wire.Status;
import org.panamaverbs.memory.RegisteredBuffer;

/**
 * One queue of a host: its connection, and the places for its capsules. There are twice as many places as the host may
 * have commands: a receive is back before the command of another place is answered, and a place is free again only when
 * its answer has left and that was told. A command for which there is none yet waits: then it is the answers before it
 * that are on their way.
 *
 * <p>The peer is not trusted: whatever it sends ends in a status, or in the end of this connection alone.
 */
final class TargetQueue implements AutoCloseable {
    // A command posts a Write or a Read, and its answer.
    private static final int POSTS = 2;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Association association;
    private final Commands commands;
    private final RegisteredBuffer capsules;
    private final QueuePair queuePair;
    private final Request[] requests;
    private final int[] free;
    private int freeCount;
    /** Commands that have come, and wait for a place of the receive that takes the place of theirs. */
    private final ArrayDeque<Request> waiting = new ArrayDeque<>();

    private final MemorySegment answer = MemorySegment.ofArray(new byte[Response.BYTES]);
    private final Response response = new Response(answer, 0);
    private final WorkRequest work = WorkRequest.of(SendOpcode.SEND);
    private final long madeNanos = System.nanoTime();
    private @Nullable PendingConnection attempt;
    private @Nullable Connection connection;
    private boolean closed;
    private int head;

    /** Makes a queue that is not connected, with a receive for each command that the host may have. */
    TargetQueue(Association association, Commands commands, ProtectionDomain domain, CompletionQueue completions) {
        this.association = association;
        this.commands = commands;
        int places = 2 * association.depth();
        capsules = domain.allocate((long) places * Limits.CAPSULE_BYTES, LOCAL_WRITE);
        try {
            queuePair = domain.queuePair(QueuePairConfig.of(domain, completions)
                    .withDepth(POSTS * places, association.depth())
                    .withSge(1, 1)
                    .withAttachment(this));
        } catch (RuntimeException e) {
            capsules.close();
            throw e;
        }
        requests = new Request[places];
        free = new int[places];
        for (int i = 0; i < places; i++) {
            requests[i] = new Request(i, capsules);
            free[freeCount++] = i;
        }
        for (int i = 0; i < association.depth(); i++) {
            PostStatus.check(postReceive());
        }
    }

    /** Returns how many completions queues of {@code depth} commands may have at once. */
    static int completions(int depth) {
        return 2 * depth * POSTS + depth;
    }

    Association association() {
        return association;
    }

    QueuePair queuePair() {
        return queuePair;
    }

    void accepting(PendingConnection by) {
        attempt = by;
    }

    void established(Connection by) {
        attempt = null;
        connection = by;
    }

    boolean isClosed() {
        return closed;
    }

    /** Tells whether the peer holds a connection that is no controller's, and has done so for long. */
    boolean isIdle() {
        return association.controller() == null && System.nanoTime() - madeNanos > PATIENCE_NANOS;
    }

    /** Takes a completion; returns false if the connection has to end. */
    boolean take(WorkCompletion completion) {
        if (!completion.ok()) {
            return false;
        }
        Request request = requests[(int) completion.wrId()];
        return switch (completion.opcode()) {
            case RECV -> begin(request, completion.byteCount());
            case RDMA_READ -> respond(request, commands.end(association, request));
            case SEND -> {
                free[freeCount++] = request.index();
                Request next = waiting.poll();
                yield next == null || carryOut(next);
            }
            default -> false;
        };
    }

    private boolean begin(Request request, long bytes) {
        // A command that cannot even be named has no answer. More of them than were agreed find no receive.
        if (bytes < Command.BYTES) {
            return false;
        }
        request.begin(bytes);
        if (freeCount == 0) {
            waiting.add(request);
            return true;
        }
        return carryOut(request);
    }

    private boolean carryOut(Request request) {
        if (postReceive() != PostStatus.ACCEPTED) {
            return false;
        }
        int status = commands.begin(association, request);
        if (status != Status.SUCCESS) {
            return respond(request, status);
        }
        return switch (request.data()) {
            case NONE -> respond(request, Status.SUCCESS);
            case HELD -> true;
            case TO_HOST -> write(request) && respond(request, Status.SUCCESS);
            case FROM_HOST -> request.isInCapsule() ? copy(request) : read(request);
        };
    }

    private boolean copy(Request request) {
        MemorySegment.copy(
                capsules.segment(),
                request.inCapsuleAt(),
                request.memory().segment(),
                request.offset(),
                request.length());
        return respond(request, commands.end(association, request));
    }

    /** Data to the host: what is posted behind the Write, the answer, is received behind it. */
    private boolean write(Request request) {
        return move(SendOpcode.RDMA_WRITE, request, NONE);
    }

    /** Data from the host: the command goes on when the Read completes. */
    private boolean read(Request request) {
        return move(SendOpcode.RDMA_READ, request, SIGNALED);
    }

    // The host's key, address and length are posted as they came: what it did not grant, its own side refuses.
    private boolean move(SendOpcode operation, Request request, int flags) {
        Command command = request.command();
        RegisteredBuffer memory = request.memory();
        int status = queuePair.post(work.opcode(operation)
                .wrId(request.index())
                .local(memory, request.offset(), request.length())
                .remote(command.address(), command.key())
                .flags(flags));
        return status == PostStatus.ACCEPTED;
    }

    /** Answers, and takes the host's key away with the same message if the command asks for that. */
    private boolean respond(Request request, int status) {
        Command command = request.command();
        head = (head + 1) % association.depth();
        response.set(command.id(), status, request.result(), head);
        boolean invalidate = command.sglType() == Command.KEYED_INVALIDATE && command.length() != 0;
        if (invalidate) {
            work.opcode(SendOpcode.SEND_WITH_INVALIDATE).invalidate(command.key());
        } else {
            work.opcode(SendOpcode.SEND);
        }
        int posted = queuePair.post(
                work.wrId(request.index()).inline(answer, 0, Response.BYTES).flags(SIGNALED));
        return posted == PostStatus.ACCEPTED;
    }

    private int postReceive() {
        Request request = requests[free[--freeCount]];
        return queuePair.recv(request.index(), capsules, request.at(), Limits.CAPSULE_BYTES);
    }

    /** Ends the connection, if there is one. */
    @Override
    public void close() {
        closed = true;
        if (attempt != null) {
            attempt.close();
        }
        if (connection != null) {
            connection.close();
        }
        queuePair.close();
        capsules.close();
    }
}
