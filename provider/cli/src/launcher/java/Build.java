import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Builds what {@code ./verbs} starts, and nothing else. What there is to build, the poms say; Maven only fetches the
 * libraries.
 *
 * <pre>java Build.java CHECKOUT PRODUCT [--all]</pre>
 *
 * PRODUCT is the directory of a module. Its jar is then in PRODUCT/target, all that it runs with in
 * PRODUCT/target/libs, and the files and directories that it was made of are listed in PRODUCT/target/.verbs-built,
 * which is as old as the start of the build. All else is kept in provider/cli/target/verbs. A module is compiled if the
 * contents of its sources or poms, or of a module that it needs, are not those of the last time; with {@code --all} in
 * any case.
 */
public final class Build {
    private static final String KEPT = "provider/cli/target/verbs";
    private static final String SELF = "provider/cli/src/launcher/java";

    private final Path home;
    private final Path kept;
    private final Poms poms;
    private final String maven;
    private final PrintStream messages;

    private Build(Path home, String maven, PrintStream messages) {
        this.home = home;
        this.kept = home.resolve(KEPT);
        this.poms = new Poms(home);
        this.maven = maven;
        this.messages = messages;
    }

    public static void main(String[] arguments) {
        System.exit(run("mvn", System.err, arguments));
    }

    /** Returns 0 if the product is there and up to date, 1 if not; the reason is among the messages. */
    public static int run(String maven, PrintStream messages, String... arguments) {
        try {
            new Build(Path.of(arguments[0]), maven, messages)
                    .make(arguments[1], List.of(arguments).contains("--all"));
            return 0;
        } catch (Failure e) {
            messages.println("verbs: " + e.getMessage());
        } catch (IOException e) {
            messages.println("verbs: cannot build: " + e);
        }
        return 1;
    }

    private void make(String directory, boolean all) throws IOException {
        Poms.Module product = poms.in(directory);
        List<Poms.Module> parts = poms.closure(product);
        try (FileChannel channel = lockFile()) {
            lock(channel);
            List<String> inputs = new ArrayList<>(poms.inputs(parts));
            inputs.add(SELF);
            Path stamp = Files.write(kept.resolve("stamp"), inputs);
            FileTime begun = Files.getLastModifiedTime(stamp);

            List<Path> libraries = new Libraries(poms, kept.resolve("libraries"), maven, messages).of(product, parts);
            Map<Poms.Module, String> states = new LinkedHashMap<>();
            for (Poms.Module part : parts) {
                states.put(part, state(part, states));
            }
            List<Poms.Module> stale = new ArrayList<>();
            for (Poms.Module part : parts) {
                if (all || !isPacked(part, states.get(part))) {
                    Files.deleteIfExists(stateFile(part));
                    stale.add(part);
                }
            }
            new Compilation(poms, kept, libraries, stale, messages)
                    .run(part -> Files.writeString(stateFile(part), states.get(part)));

            publish(product, parts, libraries);
            Files.setLastModifiedTime(stamp, begun);
            Files.move(stamp, target(product).resolve(".verbs-built"), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private FileChannel lockFile() {
        try {
            Files.createDirectories(kept);
            return FileChannel.open(
                    kept.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new Failure("cannot write to " + kept + " (" + e
                    + "); remedy: make it writable, or set VERBS_REBUILD=0 to take what is built");
        }
    }

    /**
     * Waits until no other build is under way. The lock is held until the channel is closed, or the process has ended.
     */
    private void lock(FileChannel channel) throws IOException {
        if (channel.tryLock() == null) {
            messages.println("verbs: waiting for the build of process " + Files.readString(kept.resolve("lock")));
            channel.lock();
        }
        channel.truncate(0);
        channel.write(StandardCharsets.US_ASCII.encode(
                String.valueOf(ProcessHandle.current().pid())));
    }

    private boolean isPacked(Poms.Module part, String state) throws IOException {
        Path file = stateFile(part);
        return Files.exists(file) && Files.readString(file).equals(state) && Files.exists(jar(part));
    }

    /** Returns a hash of what a module's jar is made of. */
    private String state(Poms.Module module, Map<Poms.Module, String> states) throws IOException {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
        List<String> words = new ArrayList<>();
        poms.needs(module).forEach(each -> words.add(states.get(each)));
        module.libraries().forEach(each -> words.add(each.jar()));
        digest.update(words.toString().getBytes(StandardCharsets.UTF_8));
        List<Path> files = FileTrees.files(module.sources());
        for (Poms.Resource resource : poms.resources(module)) {
            files.addAll(FileTrees.files(resource));
        }
        files.addAll(FileTrees.files(home.resolve(SELF)));
        files.addAll(List.of(home.resolve("pom.xml"), module.pom()));
        for (Path file : files) {
            byte[] content = Files.readAllBytes(file);
            digest.update((home.relativize(file) + " " + content.length).getBytes(StandardCharsets.UTF_8));
            digest.update(content);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Lays out what the product runs with; from the first file on, it does not pass for built until all are there. */
    private void publish(Poms.Module product, List<Poms.Module> parts, List<Path> libraries) throws IOException {
        Set<Path> beside = new LinkedHashSet<>();
        parts.stream().filter(part -> !part.equals(product)).forEach(part -> beside.add(jar(part)));
        Set<String> compileOnly = Libraries.compileOnly(product, parts);
        libraries.stream()
                .filter(jar -> !compileOnly.contains(jar.getFileName().toString()))
                .forEach(beside::add);
        Files.deleteIfExists(target(product).resolve(".verbs-built"));
        publish(beside, target(product).resolve("libs"));
        publish(Set.of(jar(product)), target(product));
    }

    /** Has a directory hold these jars and no others. A program that runs keeps those that it has opened. */
    private static void publish(Set<Path> jars, Path directory) throws IOException {
        Files.createDirectories(directory);
        Set<Path> wanted = new LinkedHashSet<>();
        for (Path jar : jars) {
            Path there = directory.resolve(jar.getFileName());
            wanted.add(there);
            if (!Files.exists(there)
                    || Files.size(there) != Files.size(jar)
                    || !Files.getLastModifiedTime(there).equals(Files.getLastModifiedTime(jar))) {
                Path copy = directory.resolve(jar.getFileName() + ".new");
                Files.copy(jar, copy, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
                Files.move(copy, there, StandardCopyOption.REPLACE_EXISTING);
            }
        }
        try (Stream<Path> all = Files.list(directory)) {
            for (Path each :
                    all.filter(file -> file.toString().endsWith(".jar")).toList()) {
                if (!wanted.contains(each)) {
                    Files.delete(each);
                }
            }
        }
    }

    private static Path target(Poms.Module product) {
        return product.directory().resolve("target");
    }

    private Path stateFile(Poms.Module module) {
        return kept.resolve(module.name() + ".state");
    }

    private Path jar(Poms.Module module) {
        return Compilation.jar(kept, module, poms);
    }
}
