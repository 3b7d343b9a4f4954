package org.panamaverbs.testkit.faults;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Call sites that the JVM links when they are reached first. Where the stack ends in that, the call site is lost for
 * the process, and fails wherever it is reached later.
 */
public final class CallSites {
    // Named in the constant pool of each class that has one.
    private static final String CONCATENATION = "java/lang/invoke/StringConcatFactory";

    private CallSites() {}

    /** Returns the names of the class files in the module of {@code witness}, in which a concatenation is linked so. */
    public static List<String> concatenations(Class<?> witness) throws IOException {
        List<String> found = new ArrayList<>();
        Path place = place(witness);
        if (Files.isDirectory(place)) {
            search(place, found);
        } else {
            try (FileSystem jar = FileSystems.newFileSystem(place)) {
                search(jar.getPath("/"), found);
            }
        }
        return found;
    }

    private static Path place(Class<?> witness) throws IOException {
        try {
            return Path.of(
                    witness.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IOException("the classes beside " + witness + " are not in a file", e);
        }
    }

    private static void search(Path root, List<String> found) throws IOException {
        int classes = 0;
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".class")).toList()) {
                classes++;
                if (Files.readString(file, StandardCharsets.ISO_8859_1).contains(CONCATENATION)) {
                    found.add(root.relativize(file).toString());
                }
            }
        }
        if (classes == 0) {
            throw new IOException("there are no classes in " + root);
        }
    }
}
