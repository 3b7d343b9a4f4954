package org.panamaverbs.examples.nvme;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.panamaverbs.examples.command.Arguments;
import org.panamaverbs.examples.command.Example;
import org.panamaverbs.examples.command.Option;
import org.panamaverbs.examples.command.TwoEnds;
import org.panamaverbs.examples.command.UsageException;
import org.panamaverbs.examples.nvme.controller.Target;
import org.panamaverbs.examples.nvme.initiator.Initiator;

/** The server is a target of NVMe over Fabrics, the client an initiator; either works with Linux's other one. */
public final class Nvme implements Example {
    private static final long MEBIBYTE = 1 << 20;
    private static final int NAME_BYTES = 223;

    @Override
    public String name() {
        return "nvme";
    }

    @Override
    public String summary() {
        return "blocks over RDMA as Linux's nvme-rdma and nvmet-rdma speak it: NVMe over Fabrics";
    }

    @Override
    public List<Option> options() {
        return TwoEnds.options(
                new Option("nqn", "NAME", "nqn.2026-11.org.panamaverbs:example", "the subsystem's name"),
                new Option("size", "MIB", "16", "server: of the namespace; client: how much to read and write"),
                new Option("file", "FILE", "", "server: what is behind the namespace; without, memory"),
                new Option("queues", "N", "2", "I/O queues, at most"),
                new Option("depth", "N", "32", "commands of an I/O queue at once, at most"),
                new Option("hosts", "N", "1", "server: after how many hosts have come and gone it ends"),
                new Option("piece", "KIB", "64", "client: how much one command moves"),
                new Option("lend", "HOW", "windows", "client: memory by windows where there are any, or registration"));
    }

    @Override
    public void run(Arguments arguments, PrintWriter out) throws Exception {
        String subsystem = arguments.text("nqn");
        if (subsystem.isEmpty() || subsystem.length() > NAME_BYTES) {
            throw new UsageException("--nqn has 1 to " + NAME_BYTES + " characters");
        }
        long bytes = arguments.number("size", 1, 1024) * MEBIBYTE;
        int queues = arguments.number("queues", 1, 16);
        int depth = arguments.number("depth", 2, 128);
        int piece = arguments.number("piece", 4, 8192) << 10;
        int hosts = arguments.number("hosts", 1, 1_000_000);
        String lend = arguments.text("lend");
        if (!lend.equals("windows") && !lend.equals("registration")) {
            throw new UsageException("--lend is windows or registration, not " + lend);
        }
        var target = new Target(subsystem, bytes, queues, depth, hosts);
        var initiator = new Initiator(subsystem, bytes, queues, depth, piece, lend.equals("windows"));
        TwoEnds.run(arguments, out, ends -> serve(target, arguments.text("file"), ends), initiator::run);
    }

    private static void serve(Target target, String file, TwoEnds ends) throws IOException {
        if (file.isEmpty()) {
            target.serveMemory(ends);
        } else {
            target.serveFile(ends, Path.of(file));
        }
    }
}
