package org.panamaverbs.cli.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files of a machine: {@code /sys}, {@code /proc}, {@code /dev}, {@code /etc} and the directories of libraries.
 * Paths are relative to the root. What cannot be read is empty.
 *
 * @param root the directory that stands for {@code /}
 * @param live whether it is the machine that this process runs on, so that the system may be asked what it allows
 */
record MachineTree(Path root, boolean live) {
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");

    /** Returns the machine that this process runs on. */
    static MachineTree here() {
        return new MachineTree(Path.of("/"), true);
    }

    /** Returns a copy of another machine's files below {@code root}. */
    static MachineTree copied(Path root) {
        return new MachineTree(root, false);
    }

    /** Returns the text of a file without the white space around it; empty without the file. */
    String text(String path) {
        try {
            return new String(Files.readAllBytes(root.resolve(path)), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            return "";
        }
    }

    /** Returns the last name of what a symbolic link leads to; empty without the link. */
    String target(String path) {
        try {
            return String.valueOf(Files.readSymbolicLink(root.resolve(path)).getFileName());
        } catch (IOException | UnsupportedOperationException e) {
            return "";
        }
    }

    /** Returns the number that a file holds, decimal or behind {@code 0x}; empty if it holds none. */
    OptionalLong number(String path) {
        try {
            return OptionalLong.of(Long.decode(text(path)));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /** Returns the names in a directory, sorted; empty without the directory. */
    List<String> names(String path) {
        try (Stream<Path> entries = Files.list(root.resolve(path))) {
            return entries.map(entry -> String.valueOf(entry.getFileName()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Returns the names in a directory that are numbers, in their order. */
    List<Integer> numbers(String path) {
        return names(path).stream()
                .filter(name -> NUMBER.matcher(name).matches())
                .map(Integer::valueOf)
                .sorted()
                .toList();
    }

    /** Tells whether there is such a file or directory. */
    boolean has(String path) {
        return Files.exists(root.resolve(path));
    }
}
