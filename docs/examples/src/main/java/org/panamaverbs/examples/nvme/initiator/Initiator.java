package org.panamaverbs.examples.nvme.initiator;

import static org.panamaverbs.memory.Access.LOCAL_WRITE;
import static org.panamaverbs.memory.Access.MEMORY_WINDOW_BIND;
import static org.panamaverbs.memory.Access.REMOTE_READ;
import static org.panamaverbs.memory.Access.REMOTE_WRITE;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.examples.command.TwoEnds;
import org.panamaverbs.examples.nvme.wire.Checksum;
import org.panamaverbs.examples.nvme.wire.ControllerData;
import org.panamaverbs.examples.nvme.wire.NamespaceData;
import org.panamaverbs.memory.RegisteredBuffer;

/**
 * The initiator's end of the example: it reads what is in the namespace, writes other data over it, and reads that
 * back.
 */
public final class Initiator {
    private final String subsystem;
    private final long bytes;
    private final int queues;
    private final int depth;
    private final int piece;
    private final boolean windows;

    /**
     * Creates an initiator.
     *
     * @param subsystem the name to connect to
     * @param bytes how much it reads and writes, from the first block on; less if the namespace has less
     * @param queues I/O queues
     * @param depth commands of a queue at once
     * @param piece bytes of one command
     * @param windows whether to lend memory by windows where the device has them
     */
    public Initiator(String subsystem, long bytes, int queues, int depth, int piece, boolean windows) {
        this.subsystem = subsystem;
        this.bytes = bytes;
        this.queues = queues;
        this.depth = depth;
        this.piece = piece;
        this.windows = windows;
    }

    /** Connects, works, and disconnects. */
    public void run(TwoEnds ends) throws Exception {
        var server = ends.server();
        try (var verbs = Verbs.open();
                var domain = verbs.protectionDomain()) {
            Lending lending = windows ? Lending.of(verbs.capabilities()) : Lending.REGISTRATION;
            try (var host = new Host(verbs, domain, server, queues, depth, lending, ends.deadline())) {
                ControllerData controller = host.enable(subsystem);
                NamespaceData namespace = host.namespace();
                List<HostQueue> io = host.connectIo(queues, depth, subsystem);
                ends.say(
                        "initiator: controller %d, \"%s\", %,d blocks of %d bytes, by %s",
                        controller.controllerId(),
                        controller.model(),
                        namespace.blocks(),
                        1 << namespace.blockShift(),
                        io.getFirst().transport());
                ends.say(
                        "initiator: %d I/O queues of %d commands, %,d bytes of data in a capsule, memory lent by %s",
                        io.size(), io.getFirst().depth(), host.inCapsuleBytes(), text(lending));
                work(ends, domain, host, io, namespace);
                host.shutDown();
            }
        }
    }

    private void work(TwoEnds ends, ProtectionDomain domain, Host host, List<HostQueue> io, NamespaceData namespace) {
        long length = Math.min(bytes, namespace.blocks() << namespace.blockShift());
        int step = (int) Math.min(piece, host.maxTransferBytes()) >>> namespace.blockShift() << namespace.blockShift();
        try (var data = allocate(domain, length)) {
            var transfer = new Transfer(host, io, namespace, data);
            long begin = System.nanoTime();
            transfer.read(step);
            say(ends, "found", data, begin);

            fill(data);
            begin = System.nanoTime();
            // The first mebibyte in small commands, whose data may go in the capsule.
            long small = Math.min(length, 1 << 20);
            transfer.write(0, small, Math.max(4096, 1 << namespace.blockShift()));
            transfer.write(small, length, step);
            transfer.flush();
            String written = say(ends, "wrote", data, begin);

            data.segment().fill((byte) 0);
            begin = System.nanoTime();
            transfer.read(step);
            String read = say(ends, "read", data, begin);
            if (!read.equals(written)) {
                throw new IllegalStateException("initiator: what was read is not what was written");
            }
            ends.say(
                    "initiator: %,d Writes with the data in the capsule, %,d commands by keyed SGL",
                    transfer.inCapsule(), transfer.lent());
        }
    }

    private static RegisteredBuffer allocate(ProtectionDomain domain, long length) {
        return domain.allocate(length, LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE, MEMORY_WINDOW_BIND);
    }

    private static void fill(RegisteredBuffer data) {
        byte[] octets = new byte[1 << 16];
        Random random = new Random();
        for (long at = 0; at < data.length(); at += octets.length) {
            random.nextBytes(octets);
            int length = (int) Math.min(octets.length, data.length() - at);
            MemorySegment.copy(octets, 0, data.segment(), ValueLayout.JAVA_BYTE, at, length);
        }
    }

    private static String say(TwoEnds ends, String did, RegisteredBuffer data, long begin) {
        double seconds = (System.nanoTime() - begin) / 1e9;
        String sum = Checksum.of(data.segment());
        ends.say(
                "initiator: %s %,d bytes in %.3f s, %,.0f MiB a second, SHA-256 %s",
                did, data.length(), seconds, data.length() / seconds / (1 << 20), sum);
        return sum;
    }

    private static String text(Lending lending) {
        return lending == Lending.WINDOWS ? "a window a command" : "one registration";
    }
}
