import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * Prints what the sources below a directory name of the generated bindings: lines such as {@code ibverbs ibv_wc.status
 * 1} of package, name, and count of arguments, or - where there are none as it is no call. A file of the bindings
 * themselves names other types, but no members.
 */
final class Uses extends TreeScanner<Void, Void> {
    private static final String BINDINGS = "org.panamaverbs.bindings.";
    private static final Set<String> PACKAGES = Set.of("ibverbs", "libc", "rdmacm");

    private final Map<String, String> types = new HashMap<>(); // by simple name: package and name
    private final Set<String> uses;
    private final String own; // the type whose file it is, if that is of the bindings, or ""

    private Uses(CompilationUnitTree unit, Set<String> uses) throws IOException {
        this.uses = uses;
        String pack = packageOf(unit.getPackageName() + ".");
        if (pack.isEmpty()) {
            own = "";
        } else {
            Path file = Path.of(unit.getSourceFile().toUri());
            own = pack + " " + simpleName(file);
            try (Stream<Path> siblings = Files.list(file.getParent())) {
                siblings.map(Uses::simpleName).forEach(name -> types.put(name, pack + " " + name));
            }
        }
        for (ImportTree each : unit.getImports()) {
            String name = each.getQualifiedIdentifier().toString();
            if (!packageOf(name).isEmpty()) {
                types.put(name.substring(name.lastIndexOf('.') + 1), qualified(name));
            }
        }
    }

    /** Prints what the sources below {@code arguments[0]} name. */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 1) {
            System.err.println("usage: java Uses.java DIRECTORY");
            System.exit(2);
        }
        Set<String> uses = new TreeSet<>();
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (var manager = compiler.getStandardFileManager(null, null, null)) {
            var files = manager.getJavaFileObjectsFromPaths(sources(Path.of(arguments[0])));
            var task = (JavacTask) compiler.getTask(null, manager, null, null, null, files);
            for (CompilationUnitTree unit : task.parse()) {
                new Uses(unit, uses).scan(unit.getTypeDecls(), null);
            }
        }
        uses.forEach(System.out::println);
    }

    private static List<Path> sources(Path root) throws IOException {
        List<Path> sources = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                String name = directory.getFileName().toString();
                boolean skipped = name.equals("target") || name.startsWith(".") && !directory.equals(root);
                return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (file.toString().endsWith(".java") && Files.readString(file).contains(BINDINGS)) {
                    sources.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return sources;
    }

    private static String simpleName(Path file) {
        return file.getFileName().toString().replaceFirst("\\.java$", "");
    }

    private static String packageOf(String name) {
        String pack =
                name.startsWith(BINDINGS) ? name.substring(BINDINGS.length()).split("\\.")[0] : "";
        return PACKAGES.contains(pack) ? pack : "";
    }

    private static String qualified(String name) {
        return name.substring(BINDINGS.length()).replaceFirst("\\.", " ");
    }

    /** What an expression names of the bindings, or "". */
    private String named(ExpressionTree tree) {
        return switch (tree) {
            case IdentifierTree name -> types.getOrDefault(name.getName().toString(), "");
            case MemberSelectTree select -> {
                String whole = select.toString();
                String of = named(select.getExpression());
                yield !of.isEmpty()
                        ? of + "." + select.getIdentifier()
                        : !packageOf(whole).isEmpty() && whole.matches("(\\w+\\.){4}\\w+") ? qualified(whole) : "";
            }
            // What the maker of an invoker returns has its class.
            case MethodInvocationTree call ->
                named(call.getMethodSelect()).endsWith(".makeInvoker")
                        ? named(call.getMethodSelect()).replaceFirst("\\.makeInvoker$", "")
                        : "";
            default -> "";
        };
    }

    private void use(String name, String arguments) {
        if (own.isEmpty()) {
            uses.add(name + " " + arguments);
        } else if (name.matches("\\w+ \\w+\\.C_\\w+")) {
            uses.add(name + " -");
        } else if (!name.split("\\.")[0].equals(own)) {
            uses.add(name.split("\\.")[0] + " -");
        }
    }

    @Override
    public Void visitIdentifier(IdentifierTree tree, Void unused) {
        if (!named(tree).isEmpty()) {
            use(named(tree), "-");
        }
        return null;
    }

    @Override
    public Void visitMemberSelect(MemberSelectTree tree, Void unused) {
        if (!named(tree).isEmpty()) {
            use(named(tree), "-");
        }
        return super.visitMemberSelect(tree, unused);
    }

    @Override
    public Void visitMemberReference(MemberReferenceTree tree, Void unused) {
        if (!named(tree.getQualifierExpression()).isEmpty()) {
            use(named(tree.getQualifierExpression()) + "." + tree.getName(), "-");
        }
        return super.visitMemberReference(tree, unused);
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree tree, Void unused) {
        if (!named(tree.getMethodSelect()).isEmpty()) {
            use(
                    named(tree.getMethodSelect()),
                    Integer.toString(tree.getArguments().size()));
        }
        if (tree.getMethodSelect() instanceof MemberSelectTree select) {
            scan(select.getExpression(), unused);
        }
        return scan(tree.getArguments(), unused);
    }
}
