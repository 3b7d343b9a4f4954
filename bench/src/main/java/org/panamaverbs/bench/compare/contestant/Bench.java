package org.panamaverbs.bench.compare.contestant;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What contestants run on.
 *
 * @param home the root of the checkout
 * @param children that measure
 * @param scratch what they may leave files in
 * @param serverCpu the processor of servers
 * @param clientCpu the processor of clients
 */
public record Bench(Path home, Children children, Scratch scratch, int serverCpu, int clientCpu) {

    /**
     * Runs a server that says {@code port N}, and then a client that is given this port.
     *
     * @param environment of both
     * @param server its command
     * @param client its command without the port, which goes where {@code PORT} stands
     * @return what the client wrote
     */
    String pair(Map<String, String> environment, List<String> server, List<String> client)
            throws IOException, InterruptedException {
        Children.Child one = children.start("" + serverCpu, environment, server);
        try {
            String port = children.awaitLine(one, "port ");
            return client(one, environment, client, port);
        } finally {
            children.end(one);
        }
    }

    /** Runs a server on a port that is free, and then its client; {@code PORT} stands for it in both commands. */
    String pairOnFreePort(Map<String, String> environment, List<String> server, List<String> client)
            throws IOException, InterruptedException {
        int port = Children.Ports.free();
        Children.Child one = children.start("" + serverCpu, environment, with("" + port, server));
        try {
            children.awaitListener(one, port);
            return client(one, environment, client, "" + port);
        } finally {
            children.end(one);
        }
    }

    private String client(Children.Child server, Map<String, String> environment, List<String> client, String port)
            throws IOException, InterruptedException {
        Children.Child other = children.start("" + clientCpu, environment, with(port, client));
        String text;
        try {
            text = children.finish(other);
        } catch (Children.FailedException e) {
            String said = server.text().strip();
            throw new Children.FailedException(
                    e.getMessage() + "; its server: " + said.substring(Math.max(0, said.length() - 200)));
        }
        children.finish(server);
        return text;
    }

    private static List<String> with(String port, List<String> command) {
        return command.stream().map(word -> word.equals("PORT") ? port : word).toList();
    }

    /** Runs {@code command}, which has both sides and puts them where they belong, and returns what it wrote. */
    String both(Map<String, String> environment, List<String> command) throws IOException, InterruptedException {
        return children.finish(children.start(serverCpu + "," + clientCpu, environment, command));
    }

    /** Runs {@code command}, which is short and no measurement, anywhere. */
    String run(List<String> command) throws IOException, InterruptedException {
        return both(Map.of(), command);
    }

    /** Compiles a program of this module with {@code compiler} into the directory of the children's outputs. */
    Path compile(String compiler, String name) throws IOException, InterruptedException {
        Path source = home.resolve("bench/src/main/c").resolve(name + ".c");
        if (!Files.isReadable(source)) {
            throw new Children.FailedException(source + " is not there: run bench/compare from its checkout");
        }
        Path program = children.directory().resolve(name);
        run(command(compiler, "-O2", "-o", program, source));
        return program;
    }

    /** Reads what the C floor and the peers in Java say of round trips: the last line that is JSON. */
    static Reading roundTrips(String text) throws Children.FailedException {
        JsonObject json = lastObject(text);
        Map<Double, Double> percentiles = new TreeMap<>();
        json.getAsJsonObject("percentiles_ns")
                .asMap()
                .forEach((at, value) -> percentiles.put(Double.parseDouble(at), value.getAsDouble()));
        return new Reading(json.get("median_ns").getAsDouble(), percentiles);
    }

    /** Reads a rate that the C floor and the peers in Java say, by its name. */
    static double rate(String text, String name) throws Children.FailedException {
        return lastObject(text).get(name).getAsDouble();
    }

    private static JsonObject lastObject(String text) throws Children.FailedException {
        // What is logged meanwhile may come behind it.
        String last = text.lines().filter(line -> line.startsWith("{")).reduce("", (a, b) -> b);
        try {
            JsonElement json = JsonParser.parseString(last);
            if (json.isJsonObject()) {
                return json.getAsJsonObject();
            }
        } catch (JsonParseException e) {
            throw new Children.FailedException("no JSON: " + text);
        }
        throw new Children.FailedException("no JSON object: " + text);
    }

    static List<String> words(String text) {
        return List.of(text.split(" ", -1));
    }

    /** Returns a command from words and lists of words. */
    static List<String> command(Object... parts) {
        List<String> command = new ArrayList<>();
        for (Object part : parts) {
            if (part instanceof List<?> list) {
                list.forEach(each -> command.add(each.toString()));
            } else {
                command.add(part.toString());
            }
        }
        return command;
    }

    /** Says that {@code program} is not there and which package has it, or nothing if it is. */
    static Optional<String> missing(String program, String debianPackage) {
        boolean found = Arrays.stream(
                        Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator, -1))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
        return found
                ? Optional.empty()
                : Optional.of("no " + program + ": apt-get install " + debianPackage + ", or bench/compare --install");
    }
}
