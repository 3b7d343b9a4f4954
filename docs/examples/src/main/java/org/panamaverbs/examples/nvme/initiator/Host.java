package org.panamaverbs.examples.nvme.initiator;

import static org.panamaverbs.memory.Access.LOCAL_WRITE;
import static org.panamaverbs.memory.Access.MEMORY_WINDOW_BIND;
import static org.panamaverbs.memory.Access.REMOTE_READ;
import static org.panamaverbs.memory.Access.REMOTE_WRITE;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.examples.nvme.wire.Command;
import org.panamaverbs.examples.nvme.wire.ConnectData;
import org.panamaverbs.examples.nvme.wire.ControllerData;
import org.panamaverbs.examples.nvme.wire.NamespaceData;
import org.panamaverbs.examples.nvme.wire.Opcode;
import org.panamaverbs.examples.nvme.wire.Property;
import org.panamaverbs.examples.nvme.wire.Status;
import org.panamaverbs.memory.RegisteredBuffer;

/**
 * A controller of the target as its host has it: an admin queue, by which it is enabled and asked what it is, and I/O
 * queues. All on one completion queue, and for one thread.
 */
final class Host implements AutoCloseable {
    /** Commands on the admin queue at once, as the specification has it. */
    private static final int ADMIN_DEPTH = 32;
    /** The namespace that is used. */
    static final int NAMESPACE = 1;

    private static final int IDENTIFY_NAMESPACE = 0;
    private static final int IDENTIFY_CONTROLLER = 1;
    private static final int FEATURE_QUEUES = 0x07;
    private static final String NAME = "nqn.2014-08.org.nvmexpress:uuid:";

    private final Verbs verbs;
    private final ProtectionDomain domain;
    private final InetSocketAddress address;
    private final Deadline deadline;
    private final Lending lending;
    private final CompletionQueue completionQueue;
    private final WorkCompletions completions = WorkCompletions.ofCapacity(64);
    private final RegisteredBuffer structures;
    private final List<HostQueue> queues = new ArrayList<>();
    private final List<Exchange> over = new ArrayList<>();
    private final UUID id = UUID.randomUUID();
    private int controllerId = ConnectData.ANY_CONTROLLER;
    private int inCapsuleBytes;
    private long maxTransferBytes = Command.MAX_KEYED_BYTES;

    /** Makes a host without queues; at most {@code ioQueues} of {@code depth} commands are connected later. */
    Host(
            Verbs verbs,
            ProtectionDomain domain,
            InetSocketAddress address,
            int ioQueues,
            int depth,
            Lending lending,
            Deadline deadline) {
        this.verbs = verbs;
        this.domain = domain;
        this.address = address;
        this.lending = lending;
        this.deadline = deadline;
        completionQueue =
                verbs.completionQueue(HostQueue.completions(ADMIN_DEPTH) + ioQueues * HostQueue.completions(depth));
        structures = domain.allocate(ControllerData.BYTES, LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE, MEMORY_WINDOW_BIND);
    }

    /** Connects the admin queue to {@code subsystem}, and enables the controller that this makes. */
    ControllerData enable(String subsystem) {
        connectQueue(0, ADMIN_DEPTH, subsystem);
        property(Property.CC, Property.CC_USUAL | Property.CC_ENABLE);
        awaitStatus(Property.CSTS_READY, Property.CSTS_READY);
        identify(IDENTIFY_CONTROLLER, 0);
        ControllerData data = ControllerData.decode(structures.segment(), 0);
        inCapsuleBytes = data.capsuleBytes() - Command.BYTES;
        if (data.maxTransferShift() > 0 && data.maxTransferShift() < 12) {
            maxTransferBytes = 4096L << data.maxTransferShift();
        }
        return data;
    }

    NamespaceData namespace() {
        identify(IDENTIFY_NAMESPACE, NAMESPACE);
        return NamespaceData.decode(structures.segment(), 0);
    }

    /** Connects up to {@code wanted} I/O queues, as many as the controller has, and returns them. */
    List<HostQueue> connectIo(int wanted, int depth, String subsystem) {
        int count = requestQueues(wanted);
        int deep = Math.min(depth, Property.maxDepth(property(Property.CAP)));
        for (int queueId = 1; queueId <= count; queueId++) {
            connectQueue(queueId, deep, subsystem);
        }
        return List.copyOf(queues.subList(1, queues.size()));
    }

    /** Returns how many bytes of data a capsule of an I/O queue takes. */
    int inCapsuleBytes() {
        return inCapsuleBytes;
    }

    /** Returns how many bytes one command moves at most. */
    long maxTransferBytes() {
        return maxTransferBytes;
    }

    private void connectQueue(int queueId, int depth, String subsystem) {
        var queue = new HostQueue(domain, completionQueue, depth, lending);
        queues.add(queue);
        // Linux has 0 here, whatever the queue.
        queue.connect(verbs, address, queueId, 0, deadline);
        new ConnectData(id, controllerId, subsystem, NAME + id).encode(structures.segment(), 0);
        int place = queue.place();
        queue.beginFabrics(place, Opcode.CONNECT).dword(10, queueId << 16).dword(11, depth - 1);
        if (queueId != 0 && inCapsuleBytes >= ConnectData.BYTES) {
            queue.sendWithData(place, structures, 0, ConnectData.BYTES);
        } else {
            queue.sendLending(place, structures, 0, ConnectData.BYTES, true);
        }
        long result = await(queue.exchange(place), "Connect of queue " + queueId);
        controllerId = (int) result & 0xFFFF;
    }

    private void identify(int what, int namespace) {
        HostQueue admin = queues.getFirst();
        int place = admin.place();
        admin.begin(place, Opcode.IDENTIFY).namespace(namespace).dword(10, what);
        admin.sendLending(place, structures, 0, ControllerData.BYTES, false);
        await(admin.exchange(place), "Identify " + what);
    }

    private int requestQueues(int wanted) {
        HostQueue admin = queues.getFirst();
        int place = admin.place();
        int lessOne = wanted - 1;
        admin.begin(place, Opcode.SET_FEATURES).dword(10, FEATURE_QUEUES).dword(11, lessOne | lessOne << 16);
        admin.send(place);
        int granted = (int) await(admin.exchange(place), "Set Features, number of queues");
        return Math.min(wanted, Math.min(granted & 0xFFFF, granted >>> 16) + 1);
    }

    private long property(int offset) {
        HostQueue admin = queues.getFirst();
        int place = admin.place();
        int wide = offset == Property.CAP ? 1 : 0;
        admin.beginFabrics(place, Opcode.PROPERTY_GET).dword(10, wide).dword(11, offset);
        admin.send(place);
        return await(admin.exchange(place), "Property Get of " + offset);
    }

    private void property(int offset, int value) {
        HostQueue admin = queues.getFirst();
        int place = admin.place();
        admin.beginFabrics(place, Opcode.PROPERTY_SET).dword(11, offset).dword(12, value);
        admin.send(place);
        await(admin.exchange(place), "Property Set of " + offset);
    }

    private void awaitStatus(int mask, int wanted) {
        long status = property(Property.CSTS);
        while ((status & mask) != wanted) {
            if ((status & Property.CSTS_FATAL) != 0 || deadline.passed()) {
                throw new IllegalStateException(String.format(
                        "the controller's status is 0x%x and not 0x%x, of the bits 0x%x", status, wanted, mask));
            }
            status = property(Property.CSTS);
        }
    }

    private long await(Exchange exchange, String what) {
        while (!poll().contains(exchange)) {
            // nothing else is under way
        }
        if (exchange.status() != Status.SUCCESS) {
            throw new IllegalStateException(what + ": " + Status.text(exchange.status()));
        }
        return exchange.result();
    }

    /**
     * Waits for completions and takes them; returns the commands that are over with them, valid until the next call.
     */
    List<Exchange> poll() {
        over.clear();
        int count = completionQueue.poll(completions, deadline);
        for (int i = 0; i < count; i++) {
            HostQueue queue =
                    (HostQueue) Objects.requireNonNull(completions.get(i).attachment());
            Exchange exchange = queue.take(completions.get(i));
            if (exchange != null) {
                over.add(exchange);
            }
        }
        return over;
    }

    /** Shuts the controller down, and disconnects. */
    void shutDown() {
        property(Property.CC, Property.CC_USUAL | Property.CC_ENABLE | Property.CC_SHUTDOWN);
        awaitStatus(3 << 2, Property.CSTS_SHUT_DOWN);
        queues.reversed().forEach(queue -> queue.disconnect(deadline));
    }

    @Override
    public void close() {
        queues.reversed().forEach(HostQueue::close);
        completionQueue.close();
        structures.close();
    }
}
