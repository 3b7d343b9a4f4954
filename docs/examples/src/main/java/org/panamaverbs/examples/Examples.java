package org.panamaverbs.examples;

import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.channel.ChannelException;
import org.panamaverbs.examples.command.Arguments;
import org.panamaverbs.examples.command.Example;
import org.panamaverbs.examples.command.Option;
import org.panamaverbs.examples.command.UsageException;
import org.panamaverbs.examples.devices.Devices;
import org.panamaverbs.examples.feed.Feed;
import org.panamaverbs.examples.file.FileCopy;
import org.panamaverbs.examples.lock.Lock;
import org.panamaverbs.examples.log.ReplicatedLog;
import org.panamaverbs.examples.nvme.Nvme;
import org.panamaverbs.examples.outofband.ConnectOutOfBand;
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
            new ConnectOutOfBand(),
            new Devices(),
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
        } catch (Exception e) {
            boolean wraps = e instanceof ExecutionException || e instanceof UncheckedIOException;
            failed(wraps && e.getCause() instanceof Exception cause ? cause : e, err);
            return FAILED;
        }
    }

    /** Tells people what failed; where a program of this module was wrong, those who change it see where. */
    private static void failed(Exception failure, PrintWriter err) {
        switch (failure) {
            case DeadlineExceededException e ->
                err.println("verbs example: " + e.getMessage() + "; --timeout SECONDS gives more time");
            case VerbsException e -> err.println("verbs example: " + e.getMessage());
            case UnsupportedOperationException e -> err.println("verbs example: " + e.getMessage());
            case FileSystemException e -> err.println("verbs example: " + text(e));
            default -> {
                if (isOfPeer(failure)) {
                    String text = failure.getMessage() == null ? failure.toString() : failure.getMessage();
                    err.println("verbs example: " + text + place(failure));
                    err.println("a line above says why, or the other end, which has to run the same example;"
                            + " docs/guide/errors.md has every status");
                } else {
                    err.println("verbs example: the example failed");
                    failure.printStackTrace(err);
                }
            }
        }
    }

    /**
     * Tells whether {@code failure} is what the examples throw for what a peer did: it ended, or it is another program.
     */
    private static boolean isOfPeer(Exception failure) {
        return failure instanceof ChannelException
                || failure instanceof IllegalStateException
                || failure instanceof IllegalArgumentException
                || failure instanceof BufferUnderflowException;
    }

    /** Returns which line of the examples threw. */
    private static String place(Exception failure) {
        return Stream.of(failure.getStackTrace())
                .filter(frame -> frame.getClassName().startsWith(Examples.class.getPackageName()))
                .findFirst()
                .map(frame -> " (" + frame.getFileName() + ":" + frame.getLineNumber() + ")")
                .orElse("");
    }

    /** Returns what is wrong with which file; the exception of the JDK has a reason for some failures alone. */
    private static String text(FileSystemException failure) {
        return failure.getFile()
                + switch (failure) {
                    case NoSuchFileException e -> ": no such file or directory; make its directory, or name another";
                    case AccessDeniedException e -> ": permission denied; name one that you may read and write";
                    default -> ": " + failure.getReason();
                };
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
