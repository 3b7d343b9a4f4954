import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What is below a directory. */
final class FileTrees {
    private FileTrees() {}

    /** Returns the files below a directory, in an order that is always the same; none if it does not exist. */
    static List<Path> files(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return new ArrayList<>();
        }
        try (Stream<Path> files = Files.walk(directory)) {
            return new ArrayList<>(files.filter(Files::isRegularFile).sorted().toList());
        }
    }

    static List<Path> files(Poms.Resource resource) throws IOException {
        return resource.names().isEmpty()
                ? files(resource.directory())
                : resource.names().stream().map(resource.directory()::resolve).toList();
    }

    /** Removes a directory with all that is in it, if it exists. */
    static void remove(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }
        }
    }
}
