import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The jars of other projects that a product is compiled and run with. Maven finds them, by what its user has set; once
 * for each list.
 */
final class Libraries {
    private static final int ERRORS_SHOWN = 8;

    private final Poms poms;
    private final Path kept;
    private final String maven;
    private final PrintStream messages;

    /**
     * Creates a finder that keeps the list of libraries in {@code kept}, by the name of the product; {@code maven} is
     * the command.
     */
    Libraries(Poms poms, Path kept, String maven, PrintStream messages) {
        this.poms = poms;
        this.kept = kept;
        this.maven = maven;
        this.messages = messages;
    }

    /** Returns the jars for the parts of a product, fetched if the poms name others than the last time. */
    List<Path> of(Poms.Module product, List<Poms.Module> parts) throws IOException {
        Path directory = kept.resolve(product.name());
        Path pom = directory.resolve("pom.xml");
        Path list = directory.resolve("list");
        String wanted = pom(parts);
        if (Files.exists(list) && Files.readString(pom).equals(wanted)) {
            List<Path> jars =
                    Files.readAllLines(list).stream().map(directory::resolve).toList();
            if (jars.stream().allMatch(Files::exists)) {
                return jars;
            }
        }
        FileTrees.remove(directory);
        Files.createDirectories(directory);
        Files.writeString(pom, wanted);
        List<Path> jars = new ArrayList<>();
        for (Path jar : fetch(pom, directory)) {
            jars.add(Files.copy(jar, directory.resolve(jar.getFileName()), StandardCopyOption.COPY_ATTRIBUTES));
        }
        Files.write(
                list, jars.stream().map(each -> each.getFileName().toString()).toList());
        return jars;
    }

    private String pom(List<Poms.Module> parts) {
        StringBuilder pom = new StringBuilder("<project><modelVersion>4.0.0</modelVersion><groupId>" + Poms.GROUP
                + "</groupId><artifactId>libraries</artifactId><version>1</version><packaging>pom</packaging>");
        pom.append("<dependencyManagement><dependencies>");
        poms.imports().forEach(each -> pom.append(dependency(each, "<type>pom</type><scope>import</scope>")));
        pom.append("</dependencies></dependencyManagement><dependencies>");
        parts.stream()
                .flatMap(part -> part.libraries().stream())
                .map(each -> dependency(each, ""))
                .distinct()
                .forEach(pom::append);
        return pom.append("</dependencies></project>\n").toString();
    }

    private static String dependency(Poms.Dependency of, String more) {
        String version = of.version().isEmpty() ? "" : "<version>" + of.version() + "</version>";
        return "<dependency><groupId>" + of.group() + "</groupId><artifactId>" + of.artifact() + "</artifactId>"
                + version + more + "</dependency>";
    }

    /**
     * Returns where Maven has the jars. Of the plugins that tell, this one brings the least with it into an empty
     * repository.
     */
    private List<Path> fetch(Path pom, Path directory) throws IOException {
        messages.println("verbs:   libraries, by Maven");
        Path log = directory.resolve("maven.log");
        Path classPath = directory.resolve("classpath");
        ProcessBuilder builder = new ProcessBuilder(
                        maven,
                        "-B",
                        "-ntp",
                        "-f",
                        pom.toString(),
                        poms.plugin("exec-maven-plugin") + ":exec",
                        "-Dexec.executable=echo",
                        "-Dexec.args=%classpath",
                        "-Dexec.classpathScope=runtime",
                        "-Dexec.outputFile=" + classPath)
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new Failure(maven + " was not found, which fetches the libraries, once; "
                    + "remedy: install Maven 3.8 or newer (Debian: apt install maven, macOS: brew install maven)");
        }
        try {
            if (process.waitFor() == 0) {
                return Stream.of(Files.readString(classPath).strip().split(File.pathSeparator))
                        .filter(each -> each.endsWith(".jar")) // the pom's own classes are named first
                        .map(Path::of)
                        .toList();
            }
        } catch (InterruptedException e) {
            throw new Failure("interrupted");
        } finally {
            process.destroy();
        }
        try (Stream<String> lines = Files.lines(log)) {
            lines.filter(line -> line.startsWith("[ERROR]")).limit(ERRORS_SHOWN).forEach(messages::println);
        }
        throw new Failure("Maven cannot fetch the libraries (log: " + log + "); "
                + "remedy: connect to the network, and name a proxy or a mirror in ~/.m2/settings.xml if you have one");
    }

    /** Returns the names of those jars that a product is compiled with, but does not run with. */
    static Set<String> compileOnly(Poms.Module product, List<Poms.Module> parts) {
        Set<String> names = new LinkedHashSet<>();
        Set<String> needed = new LinkedHashSet<>();
        for (Poms.Module part : parts) {
            part.libraries().forEach(each -> (each.compileOnly() ? names : needed).add(each.jar()));
        }
        // As in Maven, the scope in the product's own pom decides, then any that is wider.
        product.libraries().stream().filter(Poms.Dependency::compileOnly).forEach(each -> needed.remove(each.jar()));
        names.removeAll(needed);
        return names;
    }
}
