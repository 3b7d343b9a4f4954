package org.panamaverbs.examples.log;

import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.examples.command.Arguments;
import org.panamaverbs.examples.command.Example;
import org.panamaverbs.examples.command.Option;
import org.panamaverbs.examples.command.TwoEnds;
import org.panamaverbs.examples.command.UsageException;

/** A leader writes a log into the memory of three replicas, and goes on when one of them leaves. */
public final class ReplicatedLog implements Example {
    private static final int REPLICAS = 3;

    @Override
    public String name() {
        return "log";
    }

    @Override
    public String summary() {
        return "a log that a leader writes into three replicas' memory, one of which fails";
    }

    @Override
    public List<Option> options() {
        return TwoEnds.options(
                new Option("entries", "N", "2000", "how many entries the log has; the same for all"),
                new Option("fail", "N", "500", "after how many entries a replica leaves; 0: never"),
                new Option(
                        "at", "HOST:PORT,...", "", "client (the leader): where three replicas, the servers, listen"));
    }

    @Override
    public void run(Arguments arguments, PrintWriter out) throws Exception {
        int entries = arguments.number("entries", 1, 1_000_000);
        int fail = arguments.number("fail", 0, 1_000_000);
        String at = arguments.text("at");
        boolean server = arguments.text("role").equals("server");
        CompletableFuture<List<InetSocketAddress>> listening =
                at.isEmpty() ? new CompletableFuture<>() : CompletableFuture.completedFuture(addresses(at));
        if (at.isEmpty() && arguments.text("role").equals("client")) {
            throw new UsageException("--role client needs --at HOST:PORT,HOST:PORT,HOST:PORT of its replicas");
        }
        TwoEnds.run(
                arguments,
                out,
                ends -> {
                    if (server) {
                        Replica.run(ends, "replica", entries, fail, ends.listenAddress(), ends::listening);
                    } else {
                        replicas(ends, entries, fail, listening);
                    }
                },
                ends -> Leader.run(
                        ends, listening.get(ends.deadline().remainingNanos(), TimeUnit.NANOSECONDS), entries));
    }

    /** Runs all replicas in this process, each on a thread; the last of them is the one that fails. */
    private static void replicas(
            TwoEnds ends, int entries, int fail, CompletableFuture<List<InetSocketAddress>> listening)
            throws Exception {
        InetSocketAddress own = new InetSocketAddress(ends.listenAddress().getAddress(), 0);
        List<CompletableFuture<InetSocketAddress>> addresses = new ArrayList<>();
        List<Future<?>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            for (int number = 1; number <= REPLICAS; number++) {
                var address = new CompletableFuture<InetSocketAddress>();
                String name = "replica " + number;
                int leaves = number == REPLICAS ? fail : 0;
                addresses.add(address);
                all.add(threads.submit(() -> {
                    try {
                        Replica.run(ends, name, entries, leaves, own, address::complete);
                    } catch (Exception e) {
                        address.completeExceptionally(e); // nobody waits for it any more
                        throw e;
                    }
                    return null;
                }));
            }
            List<InetSocketAddress> found = new ArrayList<>();
            for (CompletableFuture<InetSocketAddress> address : addresses) {
                found.add(address.get(ends.deadline().remainingNanos(), TimeUnit.NANOSECONDS));
            }
            listening.complete(found);
        } catch (Exception e) {
            listening.completeExceptionally(e); // the leader need not wait any more
            throw e;
        }
        for (Future<?> one : all) {
            one.get();
        }
    }

    private static List<InetSocketAddress> addresses(String at) {
        List<InetSocketAddress> addresses = new ArrayList<>();
        for (String one : at.split(",", -1)) {
            int colon = one.lastIndexOf(':');
            if (colon < 1 || !one.substring(colon + 1).matches("\\d{1,5}")) {
                throw new UsageException("--at has HOST:PORT,HOST:PORT,HOST:PORT, not " + one);
            }
            addresses.add(new InetSocketAddress(one.substring(0, colon), Integer.parseInt(one.substring(colon + 1))));
        }
        if (addresses.size() != REPLICAS) {
            throw new UsageException("--at has " + addresses.size() + " addresses, and there are three replicas");
        }
        return addresses;
    }
}
