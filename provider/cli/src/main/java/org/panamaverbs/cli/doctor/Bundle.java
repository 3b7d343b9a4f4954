package org.panamaverbs.cli.doctor;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.panamaverbs.cli.command.BuildVersion;
import org.panamaverbs.cli.command.CommandFailure;
import org.panamaverbs.cli.command.JsonWriter;
import org.panamaverbs.cli.command.PeerProcess;
import org.panamaverbs.cli.doctor.BundlePart.Result;
import org.panamaverbs.cli.doctor.BundlePart.State;

/**
 * A report to send: the results of parts, with placeholders for what is private, and a manifest, in one archive. The
 * archive is there as a whole or not at all. Used by one thread.
 */
final class Bundle {
    /** The file that says whether there is a device. */
    static final String DEVICES = "devinfo.json";

    private static final String MANIFEST = "manifest.json";
    private static final int FORMAT = 1;
    /** The time of all files, which would otherwise tell the time zone. */
    private static final LocalDateTime TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

    /** What the name of an archive ends in. */
    static final String SUFFIX = ".zip";

    private static final String NUMBER = "\\d{1,10}";

    /** What is kept of a part's standard error. */
    private static final int MOST_SAID = 4_000;

    private static final String LEFT_OUT =
            "host and user names, home directories and other paths, IP and MAC addresses,"
                    + " GIDs, GUIDs, serial numbers, command lines, values of the environment";

    private final MachineTree machine;
    private final Map<String, String> environment;
    private final PrintWriter progress;
    private final Redaction redaction;
    private final List<Result> results = new ArrayList<>();
    private final List<BundlePart> waiting = new ArrayList<>();
    private final Map<String, byte[]> files = new LinkedHashMap<>();
    private String device = "none";
    private String manifest = "";
    private Path written = Path.of("");

    /** Creates a bundle of {@code machine} that tells of its progress. */
    Bundle(MachineTree machine, Map<String, String> environment, PrintWriter progress) {
        this.machine = machine;
        this.environment = environment;
        this.progress = progress;
        redaction = Redaction.of(machine, environment);
    }

    /** Adds a file of what {@code text} says of the machine and the environment. */
    void add(String file, String about, BiFunction<MachineTree, Map<String, String>, String> text) {
        BundlePart part = new BundlePart(file, about, List.of(), Set.of(), Duration.ZERO, "");
        results.add(new Result(part, State.OK, 0, text.apply(machine, environment), ""));
    }

    /** Has {@code parts} run by {@link #write}, in their order. */
    void addAll(List<BundlePart> parts) {
        waiting.addAll(parts);
    }

    /** Says of {@code parts} why they are left out. */
    void leaveOut(List<BundlePart> parts, String because) {
        parts.forEach(part -> results.add(part.leftOut(because)));
    }

    /**
     * Runs the parts and writes the archive.
     *
     * @param replace whether a file {@code target} is replaced; otherwise the archive has the next free name, such as
     *     {@code report-1.zip}
     * @return whether no part failed or timed out
     * @throws CommandFailure if the archive cannot be written
     */
    boolean write(Path target, boolean replace) {
        Path partial = partial(target);
        Thread cleaner = new Thread(() -> delete(partial), "bundle-cleaner");
        Runtime.getRuntime().addShutdownHook(cleaner);
        try {
            // Made first: where it cannot be written is said before the minutes that the parts take.
            try (OutputStream out = Files.newOutputStream(partial)) {
                run();
                pack();
                try (ZipOutputStream zip = new ZipOutputStream(out, StandardCharsets.UTF_8)) {
                    writeTo(zip);
                }
            }
            giveToUser(partial);
            written = replace
                    ? Files.move(partial, target, StandardCopyOption.REPLACE_EXISTING)
                    : moveToFree(partial, target);
        } catch (IOException e) {
            throw cannotWrite(target, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure("write " + target + ": interrupted, nothing was written", e);
        } finally {
            delete(partial);
            PeerProcess.removeHook(cleaner);
        }
        return results.stream().noneMatch(each -> each.state() == State.FAILED || each.state() == State.TIMED_OUT);
    }

    /** Moves {@code partial} to {@code target}, or beside it where a file has appeared since this run began. */
    private static Path moveToFree(Path partial, Path target) throws IOException {
        String name = target.getFileName().toString();
        String start = name.substring(0, name.length() - SUFFIX.length());
        Path free = target;
        for (int i = 1; ; i++) {
            try {
                return linked(partial, free);
            } catch (FileAlreadyExistsException e) {
                free = target.resolveSibling(start + "-" + i + SUFFIX);
            }
        }
    }

    /** A link is made or refused in one step; a move looks first, and replaces what appears in between. */
    private static Path linked(Path partial, Path free) throws IOException {
        try {
            return Files.createLink(free, partial);
        } catch (UnsupportedOperationException e) {
            return Files.move(partial, free);
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (FileSystemException e) {
            return Files.move(partial, free);
        }
    }

    /**
     * Makes the user who called sudo the owner of {@code file}, which its owner alone may read. That user may have put
     * a link in its place meanwhile, which is not followed.
     */
    private void giveToUser(Path file) {
        String user = environment.getOrDefault("SUDO_UID", "");
        String group = environment.getOrDefault("SUDO_GID", "");
        if (user.matches(NUMBER) && group.matches(NUMBER)) {
            try {
                Files.setAttribute(file, "unix:uid", Integer.parseUnsignedInt(user), LinkOption.NOFOLLOW_LINKS);
                Files.setAttribute(file, "unix:gid", Integer.parseUnsignedInt(group), LinkOption.NOFOLLOW_LINKS);
            } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
                say("the report is readable by its owner alone; remedy: run sudo chown %s:%s FILE", user, group);
            }
        }
    }

    /**
     * Creates the file that becomes {@code target}: one of this run alone, which nobody else reads or has put there.
     */
    private static Path partial(Path target) {
        Path directory = target.toAbsolutePath().getParent();
        try {
            return Files.createTempFile(directory, "." + target.getFileName(), ".partial");
        } catch (IOException e) {
            throw cannotWrite(target, e);
        }
    }

    private static CommandFailure cannotWrite(Path target, IOException e) {
        return new CommandFailure(
                "write " + target + ": " + e.getMessage()
                        + "; remedy: name a file that you may write, on a file system with room for some megabytes",
                e);
    }

    private void run() throws InterruptedException {
        int number = results.size();
        int all = number + waiting.size();
        String noDevice = "";
        for (BundlePart part : waiting) {
            say(
                    "%d/%d %s, at most %d s",
                    ++number, all, part.about(), part.limit().toSeconds());
            Result result = noDevice.isEmpty() ? part.run() : part.leftOut(noDevice);
            results.add(result);
            say("    %s%s", result.state().words(), outcome(result));
            if (part.file().equals(DEVICES)) {
                if (result.state() == State.FAILED) {
                    noDevice = "no device can be opened, see " + DEVICES;
                }
                device = chosen(result.output());
            }
        }
    }

    private void say(String format, Object... values) {
        progress.printf(Locale.ROOT, "verbs doctor: " + format + "%n", values);
        progress.flush();
    }

    /** Returns what is said behind the state of a result. */
    private static String outcome(Result result) {
        String last = result.output().strip();
        last = last.substring(last.lastIndexOf('\n') + 1);
        return switch (result.state()) {
            case LEFT_OUT -> ": " + result.said();
            case TIMED_OUT -> " after " + result.part().limit().toSeconds() + " s";
            case OK, FAILED ->
                (result.part().file().endsWith(".txt") && !last.isEmpty() ? ": " + last : "")
                        + String.format(Locale.ROOT, " (%.1f s)", result.millis() / 1e3);
        };
    }

    private static String chosen(String devices) {
        try {
            if (JsonParser.parseString(devices) instanceof JsonObject all
                    && all.get("chosen") instanceof JsonObject chosen) {
                return chosen.get("device").getAsString() + " of provider "
                        + chosen.get("provider").getAsString();
            }
        } catch (JsonParseException e) {
            // It was cut off by its deadline.
        }
        return "unknown";
    }

    private void pack() {
        files.put(MANIFEST, new byte[0]); // the first to be read
        for (Result result : results) {
            String file = result.part().file();
            if (!result.output().isEmpty()) {
                String text =
                        file.endsWith(".json") ? redaction.json(result.output()) : redaction.text(result.output());
                files.put(file, text.getBytes(StandardCharsets.UTF_8));
            }
        }
        manifest = describe();
        files.put(MANIFEST, (manifest + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private String describe() {
        JsonWriter json = new JsonWriter();
        json.object().field("format", FORMAT).field("version", BuildVersion.text());
        json.field("device", redaction.text(device)).name("files").array();
        json.object().field("file", MANIFEST).field("about", "this list").end();
        for (Result result : results) {
            json.object()
                    .field("file", result.part().file())
                    .field("about", result.part().about());
            json.field("state", result.state().words());
            if (result.millis() > 0) {
                json.name("seconds")
                        .value(result.millis() / 1e3)
                        .field("limitSeconds", result.part().limit().toSeconds());
            }
            String said = said(result);
            if (!said.isEmpty()) {
                json.field("said", tail(redaction.text(said)));
            }
            json.end();
        }
        json.end().field("leftOut", LEFT_OUT).name("replaced").object();
        redaction.replaced().forEach(json::field);
        return json.end().end().toString();
    }

    /** Returns what a part said of a failure; the provider's trials of a device are told in any case. */
    private static String said(Result result) {
        boolean wanted = result.state() != State.OK || result.part().file().equals(DEVICES);
        // At the level of trials, Java tells of the end of the process.
        return wanted ? result.said().replaceAll("(?m)^.*Runtime\\.exit\\(.*$\\R?", "") : "";
    }

    /** Shortens a text without private parts, of which half would not be recognized. */
    private static String tail(String text) {
        return text.length() <= MOST_SAID ? text : "..." + text.substring(text.length() - MOST_SAID);
    }

    private void writeTo(ZipOutputStream zip) throws IOException {
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            ZipEntry entry = new ZipEntry(file.getKey());
            entry.setTimeLocal(TIME);
            zip.putNextEntry(entry);
            zip.write(file.getValue());
            zip.closeEntry();
        }
    }

    /** Returns the manifest, after {@link #write}. */
    String manifest() {
        return manifest;
    }

    /** Prints what was written and what was left out, after {@link #write}. */
    void print(PrintWriter out) {
        out.printf(Locale.ROOT, "wrote %s, device %s%n", written, device);
        for (Result result : results) {
            out.printf(
                    Locale.ROOT,
                    "  %-19s %-9s  %s%n",
                    result.part().file(),
                    result.state().words(),
                    detail(result));
        }
        out.println("left out: " + LEFT_OUT);
        String replaced = redaction.replaced().entrySet().stream()
                .map(each -> each.getValue() + " " + each.getKey())
                .collect(Collectors.joining(", "));
        out.println("replaced by placeholders: " + (replaced.isEmpty() ? "nothing" : replaced));
        out.println("Read it before you send it: unzip -p " + written + " | less");
    }

    private static String detail(Result result) {
        return result.state() == State.LEFT_OUT ? result.said() : result.part().about();
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // Nothing else can be done about it, and its name says what it is.
        }
    }
}
