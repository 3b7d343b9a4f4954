import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.ForwardingJavaFileObject;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Error Prone and NullAway over the sources of all modules, in one compiler: warm after the first thousand files, it takes a fraction of what a
 * compiler of each module's own takes. Main code is compiled as one; then the tests of each module are analysed against it, without output.
 *
 * <p>Arguments: the checkout, the directory of its class files, and the options of the compiler that the build has, Error Prone's among them. The
 * class path is that of the program itself.
 */
final class Analysis {
    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    private final Path classes;
    private final List<String> options;
    private final PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);

    private Analysis(Path classes, List<String> options) {
        this.classes = classes;
        this.options = options;
    }

    public static void main(String[] args) throws IOException {
        var checkout = Path.of(args[0]).toRealPath();
        var classes = Files.createDirectories(Path.of(args[1]));
        var analysis = new Analysis(classes, List.of(args).subList(2, args.length));
        var main = new ArrayList<Path>();
        var tests = new TreeMap<Path, List<Path>>();
        for (var root : sourceRoots(checkout)) {
            if (root.endsWith(Path.of("src", "test", "java"))) {
                tests.put(checkout.relativize(root), sources(root));
            } else {
                main.addAll(sources(root));
            }
        }
        boolean right = analysis.compile("main code", main, List.of("-d", classes.toString(), "-Xdoclint:all/protected,-missing", "-Xdoclint/package:-org.panamaverbs.bindings.ibverbs,-org.panamaverbs.bindings.libc,-org.panamaverbs.bindings.rdmacm"));
        // Without the classes of the main code each test would fail as well.
        for (Map.Entry<Path, List<Path>> module : right ? tests.entrySet() : Map.<Path, List<Path>>of().entrySet()) {
            right &= analysis.compile(module.getKey().toString(), module.getValue(), List.of("--should-stop=ifNoError=FLOW"));
        }
        System.exit(right ? 0 : 1);
    }

    /** The directories {@code java} of what the build compiles: below {@code src}, in a directory with a pom of a module. */
    private static List<Path> sourceRoots(Path checkout) throws IOException {
        var roots = new ArrayList<Path>();
        Files.walkFileTree(checkout, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                var name = directory.getFileName().toString();
                boolean other = name.startsWith(".") || name.equals("target") || name.equals("node_modules") || directory.endsWith("release/consumers")
                        || directory.endsWith("sockets/programs");
                if (!other && name.equals("java") && directory.getParent().toString().contains("src")) {
                    roots.add(directory);
                    return FileVisitResult.SKIP_SUBTREE;
                }
                return other ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }
        });
        return roots;
    }

    private static List<Path> sources(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".java") && !file.endsWith("module-info.java"))
                    .sorted()
                    .toList();
        }
    }

    private boolean compile(String what, List<Path> sources, List<String> further) throws IOException {
        if (sources.isEmpty()) {
            return true;
        }
        long from = System.nanoTime();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            var all = new ArrayList<>(options);
            all.addAll(List.of("-proc:none", "-implicit:none", "-cp", classes + System.getProperty("path.separator") + System.getProperty("java.class.path")));
            all.addAll(List.of("-processorpath", System.getProperty("java.class.path")));
            all.addAll(further);
            var units = new ArrayList<JavaFileObject>();
            for (var source : files.getJavaFileObjectsFromPaths(sources)) {
                units.add(new Source(source));
            }
            // Warnings are counted here: -Werror would end the compiler with the first file that has one.
            var found = new LongAdder();
            boolean right = compiler.getTask(out, files, diagnostic -> found.add(report(diagnostic)), all, null, units)
                            .call()
                    && found.sum() == 0;
            out.printf("analysis: %s: %d files, %.0f s%s%n", what, sources.size(), (System.nanoTime() - from) / 1e9, right ? "" : ": FAILED");
            return right;
        }
    }

    /** Prints a finding; returns how many that is, 0 for a mere note. */
    private int report(Diagnostic<? extends JavaFileObject> diagnostic) {
        if (diagnostic.getKind() == Diagnostic.Kind.NOTE) {
            return 0;
        }
        out.println(diagnostic);
        return 1;
    }

    /** A source that is read once: Error Prone asks for text and URI at each match, and the compiler's own file objects make a system call for each. */
    private static final class Source extends ForwardingJavaFileObject<JavaFileObject> {
        private final CharSequence text;
        private final URI uri;

        private Source(JavaFileObject file) throws IOException {
            super(file);
            this.text = file.getCharContent(true).toString();
            this.uri = file.toUri();
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }

        @Override
        public URI toUri() {
            return uri;
        }
    }
}
