package org.panamaverbs.cli.command;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.panamaverbs.api.Deadline;

/**
 * The second process of a command that needs two: the same program in another virtual machine. It never outlives this
 * process: what it runs calls {@link #endWithStandardInput}.
 */
public final class PeerProcess implements AutoCloseable {
    private static final String MAIN = "org.panamaverbs.cli.VerbsCommand";
    private static final String MODULE_PATH = "jdk.module.path";
    private static final String CLASS_PATH = "java.class.path";
    /** How long the end of a process may come before the end of what it wrote. */
    private static final int ERRORS_SECONDS = 5;

    /** What the line with the port begins with. */
    static final String PORT_PREFIX = "port ";

    /** Flags of a virtual machine that starts quickly and does little. */
    public static final List<String> QUICK_START =
            List.of("-XX:+UseSerialGC", "-XX:-UsePerfData", "-XX:TieredStopAtLevel=1");

    private final Process process;
    private final String failurePrefix;
    private final CompletableFuture<String> firstLine = new CompletableFuture<>();
    private final CompletableFuture<String> failure = new CompletableFuture<>();
    private final Thread killer;

    private PeerProcess(Process process, String failurePrefix) {
        this.process = process;
        this.failurePrefix = failurePrefix;
        killer = new Thread(process::destroyForcibly, "peer-killer");
        Runtime.getRuntime().addShutdownHook(killer);
        Thread.ofPlatform().name("peer-output").daemon().start(this::readFirstLine);
        Thread.ofPlatform().name("peer-errors").daemon().start(this::readErrors);
    }

    /**
     * Starts the process with {@code arguments} of the {@code verbs} command, the first of which names the command.
     *
     * @param flags of the virtual machine
     */
    public static PeerProcess start(List<String> flags, List<String> arguments) {
        try {
            String failurePrefix = "verbs " + arguments.getFirst() + ": ";
            return new PeerProcess(new ProcessBuilder(command(flags, arguments)).start(), failurePrefix);
        } catch (IOException e) {
            throw new CommandFailure("cannot start the second process: " + e.getMessage(), e);
        }
    }

    /** Returns the process id. */
    public long pid() {
        return process.pid();
    }

    /** In the second process: tells the first one at which port it listens. */
    public static void sayPort(InetSocketAddress address, PrintWriter out) {
        out.println(PORT_PREFIX + address.getPort());
        out.flush();
    }

    /** Waits for the port at which it listens. */
    public int port(Deadline deadline) {
        String line;
        try {
            line = firstLine.get(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new CommandFailure("the second process did not listen before --timeout", e);
        } catch (ExecutionException e) {
            throw new CommandFailure("the output of the second process cannot be read: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        if (!line.startsWith(PORT_PREFIX)) {
            throw new CommandFailure("the second process " + (exitedIn(deadline) ? fate() : "did not report its port"));
        }
        return Integer.parseInt(line.substring(PORT_PREFIX.length()).strip());
    }

    /** Waits until it has ended; returns false if the deadline passed. */
    public boolean exitedIn(Deadline deadline) {
        try {
            return process.waitFor(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Returns its exit status; it must have ended. */
    public int exitStatus() {
        return process.exitValue();
    }

    /** Returns how it ended, for people; it must have ended. */
    public String fate() {
        int status = process.exitValue();
        String reason = failure();
        if (!reason.isEmpty()) {
            return "failed: " + reason;
        }
        // A virtual machine that a signal ended reports 128 and the signal's number.
        return status > 128 ? "was killed by signal " + (status - 128) : "ended with exit status " + status;
    }

    /** Returns what the process said about its failure, empty for nothing; it must have ended. */
    private String failure() {
        try {
            return failure.get(ERRORS_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            return "";
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** In the second process: ends it at once when its standard input ends, as that of a dead parent's child does. */
    public static void endWithStandardInput() {
        Thread.ofPlatform().name("parent-watch").daemon().start(() -> {
            try {
                System.in.transferTo(OutputStream.nullOutputStream());
            } catch (IOException e) {
                // An unreadable standard input says the same as its end.
            }
            Runtime.getRuntime().halt(ExitStatus.FAILED);
        });
    }

    /** Ends the process if it still runs. */
    @Override
    public void close() {
        process.destroyForcibly();
        removeHook(killer);
    }

    /** Removes {@code hook}, which has nothing left to do, unless this process is ending already. */
    public static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // This process is ending already: the hook runs.
        }
    }

    /** Returns the beginning of a command line of Java: that of this process, {@code flags}, and our properties. */
    public static List<String> java(List<String> flags) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith("verbs."))
                .forEach(name -> command.add("-D" + name + "=" + System.getProperty(name)));
        return command;
    }

    /** Returns the module path and the class path of this process. */
    public static List<String> paths() {
        return Stream.of(MODULE_PATH, CLASS_PATH)
                .map(name -> System.getProperty(name, ""))
                .filter(path -> !path.isEmpty())
                .flatMap(path -> Stream.of(path.split(File.pathSeparator)))
                .toList();
    }

    /** Returns the command line of this program with {@code arguments}, in a virtual machine like this one. */
    public static List<String> command(List<String> flags, List<String> arguments) {
        List<String> command = java(flags);
        Module module = PeerProcess.class.getModule();
        if (module.isNamed()) {
            List<String> enabled = nativeAccess(module);
            if (!enabled.isEmpty()) {
                command.add("--enable-native-access=" + String.join(",", enabled));
            }
            command.addAll(List.of("-p", System.getProperty(MODULE_PATH)));
            command.addAll(List.of("-m", module.getName() + "/" + MAIN));
        } else {
            if (module.isNativeAccessEnabled()) {
                command.add("--enable-native-access=ALL-UNNAMED");
            }
            command.addAll(List.of("-cp", System.getProperty(CLASS_PATH), MAIN));
        }
        command.addAll(arguments);
        return command;
    }

    private static List<String> nativeAccess(Module module) {
        return module.getLayer().modules().stream()
                .filter(Module::isNativeAccessEnabled)
                .map(Module::getName)
                .filter(name -> name.startsWith("org.panamaverbs."))
                .sorted()
                .toList();
    }

    private void readFirstLine() {
        try (BufferedReader reader = process.inputReader()) {
            String line = reader.readLine();
            firstLine.complete(line == null ? "" : line);
            while (line != null) {
                line = reader.readLine();
            }
        } catch (IOException e) {
            firstLine.completeExceptionally(e);
        }
    }

    /** Keeps the reason of a failure for {@link #fate}; everything else is handed on. */
    private void readErrors() {
        String reason = "";
        try (BufferedReader reader = process.errorReader()) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (line.startsWith(failurePrefix)) {
                    reason = line.substring(failurePrefix.length());
                } else {
                    System.err.println(line);
                }
            }
            failure.complete(reason);
        } catch (IOException e) {
            failure.completeExceptionally(e);
        }
    }

    private static CommandFailure interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new CommandFailure("interrupted", cause);
    }
}
