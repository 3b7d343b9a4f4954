package org.panamaverbs.examples.nvme.controller;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.Event;
import org.panamaverbs.api.EventQueue;
import org.panamaverbs.api.Events;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.PendingConnection;
import org.panamaverbs.examples.command.TwoEnds;
import org.panamaverbs.examples.nvme.wire.SetupRejection;
import org.panamaverbs.examples.nvme.wire.SetupReply;
import org.panamaverbs.examples.nvme.wire.SetupRequest;

/** The one thread of the target: it accepts, serves all queues, and sleeps when there is nothing to do. */
final class TargetLoop implements AutoCloseable {
    private final Subsystem subsystem;
    private final Commands commands;
    private final ProtectionDomain domain;
    private final CompletionQueue completionQueue;
    private final EventQueue events;
    private final TwoEnds ends;
    private final WorkCompletions completions = WorkCompletions.ofCapacity(64);
    private final Set<TargetQueue> queues = new LinkedHashSet<>();
    private int hostsGone;

    TargetLoop(
            Subsystem subsystem,
            ProtectionDomain domain,
            CompletionQueue completionQueue,
            EventQueue events,
            TwoEnds ends) {
        this.subsystem = subsystem;
        commands = new Commands(subsystem);
        this.domain = domain;
        this.completionQueue = completionQueue;
        this.events = events;
        this.ends = ends;
    }

    /** Serves until {@code hosts} of them have gone. */
    void serve(int hosts) {
        Events happened = Events.ofCapacity(64);
        completionQueue.arm(false);
        while (hostsGone < hosts) {
            if (ends.deadline().passed()) {
                throw new DeadlineExceededException("target", hostsGone + " of " + hosts + " hosts have gone in time");
            }
            events.await(happened, Deadline.in(1, SECONDS));
            for (int i = 0; i < happened.count(); i++) {
                handle(happened.get(i));
            }
            endSilent();
        }
    }

    private void handle(Event event) {
        switch (event.type()) {
            case CONNECT_REQUEST -> accept(event.request());
            case ESTABLISHED -> {
                TargetQueue queue = queueOf(event.attachment());
                if (queue.isClosed()) { // for a completion that was told before
                    event.connection().close();
                } else {
                    queue.established(event.connection());
                    events.add(event.connection(), queue);
                }
            }
            case DISCONNECTED -> {
                takeAll();
                end(queueOf(event.attachment()));
            }
            case COMPLETION -> {
                // One event for each arming: take everything, arm, and look once more.
                takeAll();
                completionQueue.arm(false);
                takeAll();
            }
            case FAILED -> {
                if (!(event.attachment() instanceof TargetQueue queue)) {
                    throw event.failure(); // the listener's
                }
                end(queue);
            }
            case ASYNC -> throw new IllegalStateException("target: " + event);
        }
    }

    private static TargetQueue queueOf(@Nullable Object attachment) {
        return (TargetQueue) Objects.requireNonNull(attachment, "every member but listener and channel is a queue's");
    }

    private void accept(ConnectionRequest request) {
        byte[] data = request.privateData();
        int fault = SetupRequest.fault(data);
        if (fault == SetupRejection.NONE) {
            fault = fault(SetupRequest.decode(data));
        }
        if (fault != SetupRejection.NONE) {
            request.reject(SetupRejection.encode(fault));
            return;
        }
        TargetQueue queue;
        try {
            queue = new TargetQueue(new Association(SetupRequest.decode(data)), commands, domain, completionQueue);
        } catch (VerbsException | OutOfMemoryError e) {
            ends.say("target: no queue for %s: %s", request.remoteAddress(), e);
            request.reject(SetupRejection.encode(SetupRejection.NO_RESOURCES));
            return;
        }
        queues.add(queue);
        var reply = ConnectionConfig.defaults()
                .withPrivateData(new SetupReply(queue.association().depth()).encode());
        try {
            PendingConnection attempt = request.beginAccept(queue.queuePair(), reply, Deadline.in(10, SECONDS));
            queue.accepting(attempt);
            events.add(attempt, queue);
        } catch (ConnectionException e) {
            end(queue); // the host has given up meanwhile
        }
    }

    /** Returns what is wrong with the queue that a host wants. */
    private int fault(SetupRequest wanted) {
        if (wanted.queueId() > subsystem.limits().queues()) {
            return SetupRejection.QUEUE_ID;
        }
        if (wanted.sends() == 0 || wanted.sends() >= subsystem.limits().depth(wanted.queueId())) {
            return SetupRejection.SENDS;
        }
        if (wanted.receives() <= wanted.sends()) {
            return SetupRejection.RECEIVES;
        }
        return queues.size() < subsystem.limits().connections() ? SetupRejection.NONE : SetupRejection.NO_RESOURCES;
    }

    private void takeAll() {
        for (int count = completionQueue.poll(completions); count > 0; count = completionQueue.poll(completions)) {
            for (int i = 0; i < count; i++) {
                TargetQueue queue = queueOf(completions.get(i).attachment());
                if (!queue.isClosed() && !queue.take(completions.get(i))) {
                    end(queue);
                }
            }
        }
    }

    /** Ends a queue; with an admin queue its controller ends, and with that all its queues. */
    private void end(TargetQueue queue) {
        if (!queues.remove(queue)) {
            return;
        }
        queue.close();
        Controller controller = queue.association().controller();
        if (controller == null) {
            return;
        }
        if (!queue.association().isAdmin()) {
            controller.releaseQueue(queue.association().queueId());
            return;
        }
        subsystem.remove(controller);
        hostsGone++;
        List.copyOf(queues).stream()
                .filter(other -> controller.equals(other.association().controller()))
                .forEach(this::end);
        ends.say(
                "target: controller %d of %s is gone, after %s",
                controller.id(), controller.host(), subsystem.namespace().summary());
    }

    /** Ends hosts that have not been heard of for too long, and connections that never became a queue. */
    private void endSilent() {
        for (TargetQueue queue : List.copyOf(queues)) {
            Controller controller = queue.association().controller();
            if (queue.isIdle() || (controller != null && queue.association().isAdmin() && controller.isLost())) {
                ends.say(
                        "target: nothing was heard on queue %d in time",
                        queue.association().queueId());
                end(queue);
            }
        }
    }

    @Override
    public void close() {
        queues.forEach(TargetQueue::close);
        queues.clear();
    }
}
