package org.panamaverbs.bench.sockets;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * A process with one side of what is measured. It says {@code port N} if it listens and {@code ready} when it is
 * connected, and then does what its input says, until that ends:
 *
 * <ul>
 *   <li>{@code serve poll} or {@code serve sleep}: answers, until {@code rest}; says {@code serving} and
 *       {@code resting};
 *   <li>{@code measure poll MILLIS} or {@code measure sleep MILLIS}: says {@code measured VALUE GARBAGE}, see
 *       {@link End.Figure};
 *   <li>{@code used}: says {@code used NANOS BYTES}, the processor time of this process so far, and the memory that it
 *       holds.
 * </ul>
 */
public final class SocketSide {
    private SocketSide() {}

    /**
     * Runs one side.
     *
     * @param arguments {@code echo}, {@code stream}, {@code channel}, {@code selector} or {@code verbs}, how many
     *     connections (of a selector; else 1), and the peer's port if this is the side that connects
     */
    public static void main(String[] arguments) throws Exception {
        int connections = Integer.parseInt(arguments[1]);
        try (End end = arguments.length > 2
                ? client(arguments[0], connections, Integer.parseInt(arguments[2]))
                : server(arguments[0], connections, port -> say("port " + port))) {
            System.gc(); // what the set-up left is not to be seen in the memory that it holds
            say("ready");
            obey(end);
        }
    }

    private static End server(String kind, int connections, IntConsumer says) throws Exception {
        return switch (kind) {
            case "echo" -> new NettyEnd(false, says);
            case "stream" -> new NettyEnd(true, says);
            case "channel" -> ChannelEnd.accept(1, false, says);
            case "selector" -> ChannelEnd.accept(connections, true, says);
            case "verbs" -> new VerbsEnd(says);
            default -> throw new IllegalArgumentException("unknown kind " + kind);
        };
    }

    private static End client(String kind, int connections, int port) throws Exception {
        return switch (kind) {
            case "echo" -> new NettyEnd(false, port);
            case "stream" -> new NettyEnd(true, port);
            case "channel" -> ChannelEnd.connect(1, false, port);
            case "selector" -> ChannelEnd.connect(connections, true, port);
            case "verbs" -> new VerbsEnd(port);
            default -> throw new IllegalArgumentException("unknown kind " + kind);
        };
    }

    private static void say(String text) {
        System.out.println(text);
    }

    private static void obey(End end) throws Exception {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "serve" -> {
                    end.serve(words[1].equals("poll"));
                    say("serving");
                }
                case "rest" -> {
                    end.rest();
                    say("resting");
                }
                case "measure" -> {
                    long nanos = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(words[2]));
                    End.Figure figure = end.measure(words[1].equals("poll"), nanos);
                    say("measured " + figure.value() + " " + figure.garbageBytes());
                }
                case "used" -> say("used " + Used.processorNanos() + " " + Used.residentBytes());
                default -> throw new IllegalArgumentException("unknown command " + line);
            }
        }
    }
}
