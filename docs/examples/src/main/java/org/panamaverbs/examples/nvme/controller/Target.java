package org.panamaverbs.examples.nvme.controller;

import static org.panamaverbs.memory.Access.LOCAL_WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.examples.command.TwoEnds;
import org.panamaverbs.examples.nvme.wire.Checksum;
import org.panamaverbs.memory.MemorySlab;
import org.panamaverbs.memory.RegisteredBuffer;

/** The target's end of the example: memory or a file, and the {@link TargetLoop} that serves it. */
public final class Target {
    // One that comes back may find itself still there; and all queues share a completion queue, which has its limit.
    private static final int HOSTS_AT_ONCE = 2;

    private final String subsystem;
    private final long bytes;
    private final Limits limits;
    private final int hosts;

    /**
     * Creates a target.
     *
     * @param subsystem its name, which hosts connect to
     * @param bytes of its namespace, a multiple of 4096
     * @param queues I/O queues that a host can have
     * @param depth commands of a queue at once
     * @param hosts after how many hosts have come and gone it is done
     */
    public Target(String subsystem, long bytes, int queues, int depth, int hosts) {
        this.subsystem = subsystem;
        this.bytes = bytes;
        this.hosts = hosts;
        limits = new Limits(queues, HOSTS_AT_ONCE, depth);
    }

    /** Serves memory, which is zero at first. */
    public void serveMemory(TwoEnds ends) {
        try (var verbs = Verbs.open();
                var domain = verbs.protectionDomain();
                var memory = domain.allocate(bytes, LOCAL_WRITE)) {
            serve(ends, verbs, domain, memory);
        }
    }

    /** Serves {@code file}, which is made as long as the namespace and mapped: it is where the data is moved to. */
    public void serveFile(TwoEnds ends, Path file) throws IOException {
        resize(file);
        try (var verbs = Verbs.open();
                var domain = verbs.protectionDomain();
                var slab = MemorySlab.map(file, 0, bytes, true);
                var memory = domain.register(slab.segment(), LOCAL_WRITE)) {
            serve(ends, verbs, domain, memory);
            slab.segment().force();
        }
    }

    private void serve(TwoEnds ends, Verbs verbs, ProtectionDomain domain, RegisteredBuffer memory) {
        int completions = limits.connections() * TargetQueue.completions(Math.max(limits.depth(), Limits.ADMIN_DEPTH));
        Namespace namespace = new Namespace(memory);
        try (var channel = verbs.completionChannel();
                var queue = verbs.completionQueue(
                        CompletionQueueConfig.of(completions).withChannel(channel));
                var events = verbs.eventQueue();
                var listener = verbs.listen(ends.listenAddress());
                var loop = new TargetLoop(new Subsystem(subsystem, limits, namespace), domain, queue, events, ends)) {
            events.add(listener, null);
            events.add(channel, null);
            ends.listening(listener.localAddress());
            loop.serve(hosts);
        }
        ends.say("target: SHA-256 of the namespace %s", Checksum.of(namespace.segment()));
    }

    private void resize(Path file) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            if (channel.size() < bytes) {
                channel.write(ByteBuffer.wrap(new byte[1]), bytes - 1);
            }
        }
    }
}
