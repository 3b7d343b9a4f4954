package org.panamaverbs.testkit;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.AssertTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CaseTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * Reads the messages of a module from the sources of its main code: each argument of an exception or a log call that
 * has constant text, and each other text of {@link #WORDS} words, for helpers compose messages too. A value is
 * {@code {}}, a choice {@code [one|other]}.
 */
final class Messages extends TreeScanner<@Nullable Void, @Nullable String> {
    private static final int WORDS = 4;
    private static final Pattern VALUE = Pattern.compile("%(?:\\d+\\$)?[-#+ 0,(]*\\d*(?:[.]\\d+)?[a-zA-Z]");
    private static final Pattern PREFIX = Pattern.compile("^org[.]panamaverbs[.]\\w+[.]");
    private static final Set<String> HELP = Set.of("Command", "Option", "Parameters");
    private static final Pattern THROWN = Pattern.compile("\\w*(?:Exception|Failure|Failed)");

    /**
     * A message.
     *
     * @param type the type of the source file, without the name of the module
     * @param place the exception, {@code log}, {@code help}, or empty for text that is composed elsewhere
     */
    record Message(String type, String place, String text) implements Comparable<Message> {
        @Override
        public int compareTo(Message other) {
            return toString().compareTo(other.toString());
        }

        @Override
        public String toString() {
            return type + (place.isEmpty() ? "" : ", " + place) + ": " + text;
        }
    }

    private final Set<Message> found = new TreeSet<>();
    private final Map<String, String> constants = new HashMap<>();
    private String type = "";

    /** Returns the messages below {@code sources}, sorted. */
    static Set<Message> below(Path sources) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(sources)) {
            files = all.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.endsWith("module-info.java") && !file.endsWith("package-info.java"))
                    .sorted()
                    .toList();
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        Messages messages = new Messages();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            JavacTask task = (JavacTask)
                    compiler.getTask(null, manager, null, List.of(), null, manager.getJavaFileObjectsFromPaths(files));
            for (CompilationUnitTree unit : task.parse()) {
                messages.type =
                        PREFIX.matcher(unit.getPackageName() + "." + type(unit)).replaceFirst("");
                messages.constants.clear();
                messages.collectConstants(unit);
                messages.scan(unit, "");
            }
        }
        return messages.found;
    }

    private static String type(CompilationUnitTree unit) {
        return ((ClassTree) unit.getTypeDecls().getFirst()).getSimpleName().toString();
    }

    private void collectConstants(CompilationUnitTree unit) {
        new TreeScanner<@Nullable Void, @Nullable Void>() {
            @Override
            public @Nullable Void visitVariable(VariableTree variable, @Nullable Void nothing) {
                ExpressionTree value = variable.getInitializer();
                if (value != null && isText(value)) {
                    constants.putIfAbsent(variable.getName().toString(), render(value));
                }
                return super.visitVariable(variable, null);
            }
        }.scan(unit, null);
    }

    @Override
    public @Nullable Void visitAnnotation(AnnotationTree annotation, @Nullable String place) {
        // Picocli's, whose texts are the help.
        return HELP.contains(simpleName(annotation.getAnnotationType()))
                ? scan(annotation.getArguments(), "help")
                : null;
    }

    @Override
    public @Nullable Void visitAssert(AssertTree assertion, @Nullable String place) {
        return null;
    }

    @Override
    public @Nullable Void visitCase(CaseTree label, @Nullable String place) {
        scan(label.getBody(), place);
        return scan(label.getStatements(), place);
    }

    @Override
    public @Nullable Void visitLambdaExpression(LambdaExpressionTree lambda, @Nullable String place) {
        return scan(lambda.getBody(), place);
    }

    @Override
    public @Nullable Void visitNewClass(NewClassTree created, @Nullable String place) {
        String name = simpleName(created.getIdentifier());
        if (name.endsWith("Error")) {
            return null;
        }
        if (!THROWN.matcher(name).matches()) {
            return super.visitNewClass(created, "");
        }
        return arguments(created.getArguments(), name);
    }

    @Override
    public @Nullable Void visitMethodInvocation(MethodInvocationTree call, @Nullable String place) {
        String name = simpleName(call.getMethodSelect());
        if (name.equals("log")) {
            return arguments(call.getArguments(), name);
        }
        if (name.equals("formatted") || name.equals("format")) {
            if (isText(call)) {
                return text(call, place);
            }
        }
        scan(call.getMethodSelect(), place);
        return scan(call.getArguments(), "");
    }

    /** The text of an exception is what its constant arguments say one after the other. */
    private @Nullable Void arguments(List<? extends ExpressionTree> arguments, String place) {
        List<String> texts = new ArrayList<>();
        for (ExpressionTree argument : arguments) {
            if (isText(argument) || (texts.isEmpty() && constants.containsKey(argument.toString()))) {
                texts.add(render(argument));
                values(argument, place);
            } else {
                scan(argument, place);
            }
        }
        if (!texts.isEmpty()) {
            found.add(new Message(type, place, String.join(": ", texts).replace('\n', ' ')));
        }
        return null;
    }

    @Override
    public @Nullable Void visitBinary(BinaryTree tree, @Nullable String place) {
        return isText(tree) ? text(tree, place) : super.visitBinary(tree, place);
    }

    @Override
    public @Nullable Void visitConditionalExpression(ConditionalExpressionTree tree, @Nullable String place) {
        scan(tree.getCondition(), "");
        scan(tree.getTrueExpression(), place);
        return scan(tree.getFalseExpression(), place);
    }

    @Override
    public @Nullable Void visitLiteral(LiteralTree literal, @Nullable String place) {
        return literal.getValue() instanceof String ? text(literal, place) : null;
    }

    private @Nullable Void text(ExpressionTree tree, @Nullable String place) {
        for (String line : render(tree).split("\n", -1)) {
            if (line.replace("{}", "").strip().split("\\s+").length >= WORDS) {
                found.add(new Message(type, place == null ? "" : place, line.strip()));
            }
        }
        return values(tree, "");
    }

    /** Scans what stands in the place of values: calls may be given text of their own. */
    private @Nullable Void values(ExpressionTree tree, String place) {
        if (tree instanceof BinaryTree binary) {
            values(binary.getLeftOperand(), place);
            values(binary.getRightOperand(), place);
        } else if (tree instanceof ParenthesizedTree parentheses) {
            values(parentheses.getExpression(), place);
        } else if (tree instanceof ConditionalExpressionTree choice) {
            scan(choice.getCondition(), "");
            values(choice.getTrueExpression(), place);
            values(choice.getFalseExpression(), place);
        } else if (tree instanceof MethodInvocationTree call && isText(call)) {
            ExpressionTree format = format(call);
            call.getArguments().stream().filter(each -> !each.equals(format)).forEach(each -> scan(each, ""));
        } else if (!(tree instanceof LiteralTree)) {
            scan(tree, "");
        }
        return null;
    }

    /** Returns whether {@code tree} has constant text that the caller sees as a part of it. */
    private static boolean isText(@Nullable Tree tree) {
        if (tree == null) {
            return false;
        }
        return switch (tree) {
            case LiteralTree literal -> literal.getValue() instanceof String;
            case BinaryTree binary ->
                binary.getKind() == Tree.Kind.PLUS
                        && (isText(binary.getLeftOperand()) || isText(binary.getRightOperand()));
            case ParenthesizedTree parentheses -> isText(parentheses.getExpression());
            case ConditionalExpressionTree choice ->
                isText(choice.getTrueExpression()) || isText(choice.getFalseExpression());
            case MethodInvocationTree call -> isText(format(call));
            default -> false;
        };
    }

    /** Returns the format string of a call that formats, null if it does something else. */
    private static @Nullable ExpressionTree format(MethodInvocationTree call) {
        if (!(call.getMethodSelect() instanceof MemberSelectTree method)) {
            return null;
        }
        String name = method.getIdentifier().toString();
        if (name.equals("formatted")) {
            return method.getExpression();
        }
        return name.equals("format")
                ? call.getArguments().stream()
                        .filter(Messages::isText)
                        .findFirst()
                        .orElse(null)
                : null;
    }

    private String render(@Nullable ExpressionTree tree) {
        if (tree instanceof IdentifierTree name) {
            return constants.getOrDefault(name.getName().toString(), "{}");
        }
        if (tree == null || !isText(tree)) {
            return "{}";
        }
        return switch (tree) {
            case LiteralTree literal -> String.valueOf(literal.getValue());
            case BinaryTree binary -> render(binary.getLeftOperand()) + render(binary.getRightOperand());
            case ParenthesizedTree parentheses -> render(parentheses.getExpression());
            case ConditionalExpressionTree choice ->
                "[" + render(choice.getTrueExpression()) + "|" + render(choice.getFalseExpression()) + "]";
            case MethodInvocationTree call ->
                VALUE.matcher(render(format(call))).replaceAll("{}");
            default -> "{}";
        };
    }

    private static String simpleName(Tree tree) {
        return switch (tree) {
            case MemberSelectTree select -> select.getIdentifier().toString();
            case IdentifierTree name -> name.getName().toString();
            default -> tree.toString();
        };
    }
}
