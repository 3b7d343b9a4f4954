import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;

/**
 * Compiles and packs modules, each as soon as those that it needs are compiled, by as many threads as there are
 * processors. All is done by the compiler of this virtual machine, which is fast only after its first files.
 */
final class Compilation {
    private final Poms poms;
    private final Path kept;
    private final List<Path> libraries;
    private final PrintStream messages;

    /** The modules that no thread has taken yet, those that are not yet compiled, and how many there were. */
    private final List<Poms.Module> waiting;

    private final Set<Poms.Module> missing;
    private final int count;
    private boolean failed;

    /** Keeps classes and jars in {@code kept}, where those of modules that are not stale must be. */
    Compilation(Poms poms, Path kept, List<Path> libraries, List<Poms.Module> stale, PrintStream messages) {
        this.poms = poms;
        this.kept = kept;
        this.libraries = libraries;
        this.messages = messages;
        waiting = new ArrayList<>(stale);
        missing = new LinkedHashSet<>(stale);
        count = stale.size();
    }

    /**
     * Compiles and packs the modules; {@code packed} is called with each module that is done, and the first failure
     * ends the run.
     */
    void run(Done packed) throws IOException {
        int threads = Math.min(Runtime.getRuntime().availableProcessors(), count);
        try (ExecutorService workers = Executors.newFixedThreadPool(Math.max(threads, 1))) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                running.add(workers.submit(() -> work(packed)));
            }
            for (Future<?> each : running) {
                each.get();
            }
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case Failure failure -> throw failure;
                case IOException failure -> throw failure;
                default -> throw new IllegalStateException(e.getCause());
            }
        } catch (InterruptedException e) {
            throw new Failure("interrupted");
        }
    }

    interface Done {
        void with(Poms.Module module) throws IOException;
    }

    private Void work(Done packed) throws IOException, InterruptedException {
        boolean done = false;
        try {
            for (Poms.Module module = next(); module != null; module = next()) {
                compile(module);
                compiled(module);
                pack(module);
                packed.with(module);
            }
            done = true;
            return null;
        } finally {
            if (!done) {
                fail();
            }
        }
    }

    private synchronized Poms.Module next() throws InterruptedException {
        while (!failed && !waiting.isEmpty()) {
            for (Poms.Module module : waiting) {
                if (poms.needs(module).stream().noneMatch(missing::contains)) {
                    waiting.remove(module);
                    return module;
                }
            }
            wait();
        }
        return null;
    }

    private synchronized void compiled(Poms.Module module) {
        missing.remove(module);
        messages.printf("verbs:   %s, %d of %d%n", module.name(), count - missing.size(), count);
        notifyAll();
    }

    private synchronized void fail() {
        failed = true;
        notifyAll();
    }

    private void compile(Poms.Module module) throws IOException {
        Path classes = classes(module);
        FileTrees.remove(classes);
        Files.createDirectories(classes);
        List<String> path = new ArrayList<>();
        poms.needs(module).forEach(each -> path.add(classes(each).toString()));
        libraries.forEach(each -> path.add(each.toString()));
        // What decides on the code, of the poms' options: the others analyse it.
        List<String> options = List.of(
                "--release",
                poms.property("maven.compiler.release"),
                "-g",
                "-nowarn",
                "-proc:none",
                "-d",
                classes.toString(),
                "--module-path",
                String.join(File.pathSeparator, path));
        JavaCompiler compiler = javax.tools.ToolProvider.getSystemJavaCompiler();
        StringWriter errors = new StringWriter();
        boolean compiled;
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            List<Path> sources = FileTrees.files(module.sources());
            sources.removeIf(each -> !each.toString().endsWith(".java"));
            compiled = compiler.getTask(errors, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
                    .call();
        }
        if (!compiled) {
            throw new Failure(
                    module.name() + " does not compile:\n" + errors.toString().stripTrailing());
        }
    }

    private void pack(Poms.Module module) throws IOException {
        for (Poms.Resource resource : poms.resources(module)) {
            for (Path file : FileTrees.files(resource)) {
                Path copy = classes(module)
                        .resolve(resource.target())
                        .resolve(resource.directory().relativize(file));
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.put(Attributes.Name.IMPLEMENTATION_TITLE, module.title());
        attributes.put(Attributes.Name.IMPLEMENTATION_VERSION, poms.version());
        Path file = kept.resolve(module.name() + ".manifest");
        try (OutputStream out = Files.newOutputStream(file)) {
            manifest.write(out);
        }
        StringWriter errors = new StringWriter();
        int status = java.util.spi.ToolProvider.findFirst("jar")
                .orElseThrow()
                .run(
                        new PrintWriter(errors),
                        new PrintWriter(errors),
                        "--create",
                        "--file=" + jar(kept, module, poms),
                        "--manifest=" + file,
                        "--module-version=" + poms.version(),
                        "-C",
                        classes(module).toString(),
                        ".");
        if (status != 0) {
            throw new Failure("cannot pack " + jar(kept, module, poms) + ": " + errors);
        }
    }

    static Path jar(Path kept, Poms.Module module, Poms poms) {
        return kept.resolve(module.artifact() + "-" + poms.version() + ".jar");
    }

    private Path classes(Poms.Module module) {
        return kept.resolve("classes").resolve(module.name());
    }
}
