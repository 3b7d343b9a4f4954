package org.panamaverbs.examples.log;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.panamaverbs.channel.ChannelConfig;
import org.panamaverbs.examples.command.Arguments;
import org.panamaverbs.examples.command.Example;
import org.panamaverbs.examples.command.Option;
import org.panamaverbs.examples.command.TwoEnds;
import org.panamaverbs.examples.command.UsageException;

/** A leader publishes a log to three replicas, which record it in files, and goes on when one of them leaves. */
public final class ReplicatedLog implements Example {
    /** An entry: its number (8 bytes), and what it says. */
    static final int ENTRY_BYTES = 64;

    private static final int REPLICAS = 3;

    static final ChannelConfig CHANNELS = ChannelConfig.defaults().withMaxChannels(REPLICAS);

    @Override
    public String name() {
        return "log";
    }

    @Override
    public String summary() {
        return "a log that a leader publishes to three replicas, which record it; one of them fails";
    }

    @Override
    public List<Option> options() {
        return TwoEnds.options(
                new Option("entries", "N", "2000", "how many entries the log has; the same for all"),
                new Option("fail", "N", "500", "after how many entries a replica leaves; 0: never"),
                new Option("into", "DIR", "", "where replicas record, a file each; none: in files that are deleted"),
                new Option(
                        "at", "HOST:PORT,...", "", "client (the leader): where three replicas, the servers, listen"));
    }

    @Override
    public void run(Arguments arguments, PrintWriter out) throws Exception {
        int entries = arguments.number("entries", 1, 1_000_000);
        int fail = arguments.number("fail", 0, 1_000_000);
        String at = arguments.text("at");
        String into = arguments.text("into");
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
                        replica(ends, "replica", entries, fail, into, ends.listenAddress(), ends::listening);
                    } else {
                        replicas(ends, entries, fail, into, listening);
                    }
                },
                ends -> Leader.run(
                        ends, listening.get(ends.deadline().remainingNanos(), TimeUnit.NANOSECONDS), entries));
    }

    private static void replica(
            TwoEnds ends,
            String name,
            int entries,
            int fail,
            String into,
            InetSocketAddress address,
            Consumer<InetSocketAddress> listening)
            throws IOException {
        String file = name.replace(' ', '-');
        if (!into.isEmpty()) {
            Replica.run(ends, name, entries, fail, Path.of(into, file), address, listening);
            return;
        }
        Path temporary = Files.createTempFile(file, ".log");
        try {
            Replica.run(ends, name, entries, fail, temporary, address, listening);
        } finally {
            Files.delete(temporary);
        }
    }

    /** Runs all replicas in this process, each on a thread; the last of them is the one that fails. */
    private static void replicas(
            TwoEnds ends, int entries, int fail, String into, CompletableFuture<List<InetSocketAddress>> listening)
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
                        replica(ends, name, entries, leaves, into, own, address::complete);
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
