package org.panamaverbs.examples;

import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.examples.byhand.ConnectByHand;
import org.panamaverbs.examples.command.Arguments;
import org.panamaverbs.examples.command.Example;
import org.panamaverbs.examples.command.Option;
import org.panamaverbs.examples.command.UsageException;
import org.panamaverbs.examples.feed.Feed;
import org.panamaverbs.examples.file.FileCopy;
import org.panamaverbs.examples.lock.Lock;
import org.panamaverbs.examples.log.ReplicatedLog;
import org.panamaverbs.examples.nvme.Nvme;
import org.panamaverbs.examples.provider.CustomProvider;
import org.panamaverbs.examples.ring.Ring;
import org.panamaverbs.examples.rpc.Rpc;
import org.panamaverbs.examples.threads.VirtualThreads;

/** The command line: {@code ./verbs example NAME [--OPTION VALUE ...]}. */
public final class Examples {
    private static final List<Example> ALL = List.of(
            new Ring(),
            new Rpc(),
            new Lock(),
            new FileCopy(),
            new VirtualThreads(),
            new ReplicatedLog(),
            new Feed(),
            new ConnectByHand(),
            new Nvme(),
            new CustomProvider());

    private static final int FAILED = 1;
    private static final int USAGE = 2;

    private Examples() {}

    /** Runs the command line and ends the process: with 0, 1 for a failure, 2 for a wrong command line. */
    public static void main(String[] args) {
        System.exit(run(
                List.of(args),
                new PrintWriter(System.out, true, System.out.charset()),
                new PrintWriter(System.err, true, System.err.charset())));
    }

    /** Runs {@code words}; returns the status that the process is to end with. */
    static int run(List<String> words, PrintWriter out, PrintWriter err) {
        try {
            String first = words.isEmpty() ? "" : words.getFirst();
            switch (first) {
                case "" -> throw new UsageException("which one? " + names());
                case "--list" ->
                    ALL.forEach(example -> out.println(String.format("%-14s %s", example.name(), example.summary())));
                case "--help", "-h" -> help(out);
                default -> start(find(first), words.subList(1, words.size()), out);
            }
            return 0;
        } catch (UsageException e) {
            err.println("verbs example: " + e.getMessage());
            err.println("`./verbs example --help` explains it");
            return USAGE;
        } catch (VerbsException | UnsupportedOperationException e) {
            err.println("verbs example: " + e.getMessage());
            return FAILED;
        } catch (Exception e) {
            err.println("verbs example: the example failed");
            e.printStackTrace(err);
            return FAILED;
        }
    }

    private static void start(Example example, List<String> words, PrintWriter out) throws Exception {
        if (words.contains("--help") || words.contains("-h")) {
            out.println("./verbs example " + example.name() + " [--OPTION VALUE ...]: " + example.summary());
            for (Option option : example.options()) {
                String name = "--" + option.name() + " " + option.value();
                out.println(String.format("  %-20s %s (default: %s)", name, option.text(), option.usual()));
            }
            out.println("docs/guide/examples/" + example.name() + ".md explains the program.");
            return;
        }
        example.run(Arguments.parse(example.options(), words), out);
    }

    private static void help(PrintWriter out) {
        out.println("./verbs example NAME [--OPTION VALUE ...]   runs an example");
        out.println("./verbs example NAME --help                 says what its options are");
        out.println("./verbs example --list                      says which there are: " + names());
        out.println();
        out.println("VERBS_PROVIDER and VERBS_DEVICE choose another than the best provider and device.");
        out.println("Status: 0 if all was right, 1 if something failed, 2 if the command line was wrong.");
    }

    private static Example find(String name) {
        return ALL.stream()
                .filter(example -> example.name().equals(name))
                .findAny()
                .orElseThrow(() -> new UsageException("there is no example " + name + "; there are " + names()));
    }

    private static String names() {
        return ALL.stream().map(Example::name).collect(Collectors.joining(", "));
    }
}
