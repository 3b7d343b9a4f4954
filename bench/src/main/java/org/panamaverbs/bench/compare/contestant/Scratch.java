package org.panamaverbs.bench.compare.contestant;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A directory in memory for files that peers share, which is gone afterwards with all that they left, also behind one
 * that was killed. What a library puts beside it, under a name of its own, is removed as well.
 */
public final class Scratch implements AutoCloseable {
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final Path TEMPORARY = Path.of("/tmp");
    private static final String PREFIX = "panama-verbs-compare-";
    // What Open MPI, UCX, libfabric and PMIx call the files of a process that did not end by itself.
    private static final List<String> LEFT_BY_OTHERS =
            List.of("vader_segment.", "ucx_shm_", "ompi.", "openmpi-sessions-", "pmix-", "prte.");

    private final Path directory;
    private final Set<Path> there;
    private final Thread atExit = new Thread(this::remove);

    /** Makes the directory, below {@code otherwise} where there is no memory for it, and removes those of the dead. */
    public Scratch(Path otherwise) throws IOException {
        boolean memory = Files.isDirectory(MEMORY) && Files.isWritable(MEMORY);
        Path parent = memory ? MEMORY : Files.createDirectories(otherwise);
        for (Path each : named(parent, List.of(PREFIX))) {
            if (isOfTheDead(each)) {
                delete(each);
            }
        }
        there = strangers();
        directory = Files.createDirectories(
                parent.resolve(PREFIX + ProcessHandle.current().pid()));
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    Path directory() {
        return directory;
    }

    private static boolean isOfTheDead(Path path) {
        String pid = path.getFileName().toString().substring(PREFIX.length());
        return pid.matches("[0-9]{1,18}")
                && ProcessHandle.of(Long.parseLong(pid))
                        .filter(ProcessHandle::isAlive)
                        .isEmpty();
    }

    private static Set<Path> strangers() {
        Set<Path> found = new TreeSet<>();
        for (Path parent : List.of(MEMORY, TEMPORARY)) {
            found.addAll(named(parent, LEFT_BY_OTHERS));
        }
        return found;
    }

    private static List<Path> named(Path parent, List<String> prefixes) {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(parent)) {
            for (Path each : all) {
                if (prefixes.stream().anyMatch(each.getFileName().toString()::startsWith)) {
                    found.add(each);
                }
            }
        } catch (IOException e) {
            return found; // nothing that could be read is there
        }
        return found;
    }

    private void remove() {
        delete(directory);
        strangers().stream().filter(each -> !there.contains(each)).forEach(Scratch::delete);
    }

    /** Deletes {@code root} and what is in it, as far as this user may. */
    private static void delete(Path root) {
        if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (Stream<Path> all = Files.walk(root)) {
            for (Path each : all.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException e) {
            System.err.println("bench/compare: " + root + " stays: " + e);
        }
    }

    @Override
    public void close() {
        remove();
        Runtime.getRuntime().removeShutdownHook(atExit);
    }
}
