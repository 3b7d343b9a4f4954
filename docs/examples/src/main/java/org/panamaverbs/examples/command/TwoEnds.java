package org.panamaverbs.examples.command;

import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;

/**
 * The two ends of an example: both in this process, on a thread each, or one here and the other in another process,
 * perhaps on another machine. The server calls {@link #listening} when it listens, the client asks {@link #server}.
 */
public final class TwoEnds {
    /** One end. */
    @FunctionalInterface
    public interface End {
        /** Runs this end until it is done. */
        void run(TwoEnds ends) throws Exception;
    }

    private final String role;
    private final String host;
    private final int port;
    private final Deadline deadline;
    private final PrintWriter out;
    /** Where the server listens; known at once to a client of its own process. */
    private final CompletableFuture<InetSocketAddress> address = new CompletableFuture<>();

    private TwoEnds(Arguments arguments, PrintWriter out) {
        role = arguments.text("role");
        host = arguments.text("host");
        port = arguments.number("port", 0, 65_535);
        deadline = Deadline.in(Duration.ofSeconds(arguments.number("timeout", 1, 86_400)));
        this.out = out;
        if (role.equals("client") && port != 0) {
            address.complete(new InetSocketAddress(host, port));
        }
    }

    /** Returns the options that every example with two ends has, and {@code own} before them. */
    public static List<Option> options(Option... own) {
        List<Option> options = new ArrayList<>(List.of(own));
        options.add(new Option("role", "ROLE", "both", "both in this process, or one of two: server, client"));
        options.add(new Option("host", "HOST", "localhost", "where the server listens; one's own address, or 0.0.0.0"));
        options.add(new Option("port", "PORT", "0", "its port; 0 for the server lets the system choose"));
        options.add(new Option("timeout", "SECONDS", "60", "after how long everything has to be over"));
        return List.copyOf(options);
    }

    /**
     * Runs the ends that the option {@code --role} names, and returns when they are done.
     *
     * @throws Exception the failure that came first; the other end's is suppressed in it
     */
    public static void run(Arguments arguments, PrintWriter out, End server, End client) throws Exception {
        TwoEnds ends = new TwoEnds(arguments, out);
        switch (ends.role) {
            case "server" -> server.run(ends);
            case "client" -> client.run(ends);
            case "both" -> ends.both(server, client);
            default -> throw new UsageException("--role is both, server or client, not " + ends.role);
        }
    }

    private void both(End server, End client) throws Exception {
        List<Exception> failures = new ArrayList<>();
        Thread thread = Thread.ofPlatform().name("server").start(() -> {
            // A client that waits for the address need not wait any more.
            failure(server, failures).ifPresent(address::completeExceptionally);
        });
        failure(client, failures);
        thread.join();
        if (!failures.isEmpty()) {
            Exception first = failures.getFirst();
            failures.stream()
                    .skip(1)
                    .filter(other -> !first.equals(other.getCause()))
                    .forEach(first::addSuppressed);
            throw first;
        }
    }

    private Optional<Exception> failure(End end, List<Exception> failures) {
        try {
            end.run(this);
            return Optional.empty();
        } catch (Exception e) {
            synchronized (failures) {
                failures.add(e);
            }
            return Optional.of(e);
        }
    }

    /** Returns where the server is to listen. */
    public InetSocketAddress listenAddress() {
        return new InetSocketAddress(host, port);
    }

    /** For the server: says where it listens. */
    public void listening(InetSocketAddress where) {
        if (role.equals("server")) {
            say("listening at port %d", where.getPort());
        }
        address.complete(where);
    }

    /** For the client: returns where the server listens, and waits for that if both are in this process. */
    public InetSocketAddress server() throws InterruptedException, ExecutionException {
        if (role.equals("client") && port == 0) {
            throw new UsageException("--role client needs the --port that the server prints");
        }
        try {
            return address.get(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new DeadlineExceededException("example", "the server did not listen in time");
        }
    }

    /** Returns when everything has to be over. */
    public Deadline deadline() {
        return deadline;
    }

    /** Prints a line, as {@link String#format}. */
    @SuppressWarnings("AnnotateFormatMethod") // the annotation is Error Prone's, and a dependency
    public void say(String format, Object... arguments) {
        out.println(String.format(format, arguments));
        out.flush();
    }
}
