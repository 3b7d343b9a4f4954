import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/** The poms of a checkout, as far as they say what its modules are made of: none of this has a second home. */
final class Poms {
    static final String GROUP = "org.panamaverbs";

    /** What a module depends on other than for its tests; the version of our own modules is that of the checkout. */
    record Dependency(String group, String artifact, String version, String scope) {
        boolean ours() {
            return group.equals(GROUP);
        }

        boolean compileOnly() {
            return scope.equals("provided");
        }

        String jar() {
            return artifact + "-" + version + ".jar";
        }
    }

    record Module(Path directory, String artifact, String title, List<Dependency> dependencies) {
        /** The artifact without what all of them begin with. */
        String name() {
            return artifact.replaceFirst("^panama-verbs-", "");
        }

        Path pom() {
            return directory.resolve("pom.xml");
        }

        Path sources() {
            return directory.resolve("src/main/java");
        }

        /** Returns the libraries that other projects publish. */
        List<Dependency> libraries() {
            return dependencies.stream().filter(each -> !each.ours()).toList();
        }
    }

    /** Files that go into a jar below {@code target}: those named, or all in the directory. */
    record Resource(Path directory, String target, List<String> names) {}

    private final Path home;
    private final Element root;
    private final Map<String, Module> modules = new LinkedHashMap<>();
    private final Set<Path> lists = new LinkedHashSet<>();

    /** Reads the pom in {@code home} and those of its modules. */
    Poms(Path home) {
        this.home = home;
        this.root = parse(home);
        read(home, root);
    }

    private void read(Path directory, Element pom) {
        List<Dependency> dependencies = elements(pom, "dependencies", "dependency").stream()
                .filter(each -> !text(each, "scope").equals("test"))
                .map(this::dependency)
                .toList();
        String artifact = text(pom, "artifactId");
        modules.put(artifact, new Module(directory, artifact, text(pom, "name"), dependencies));
        for (Element each : elements(pom, "modules", "module")) {
            lists.add(directory.resolve("pom.xml"));
            Path below = directory.resolve(each.getTextContent().strip());
            read(below, parse(below));
        }
    }

    private Dependency dependency(Element element) {
        String group = text(element, "groupId");
        String artifact = text(element, "artifactId");
        String version = text(element, "version");
        if (version.isEmpty()) {
            version = elements(root, "dependencyManagement", "dependencies", "dependency").stream()
                    .filter(each -> text(each, "groupId").equals(group)
                            && text(each, "artifactId").equals(artifact))
                    .map(each -> text(each, "version"))
                    .findFirst()
                    .orElse(""); // of an imported BOM
        }
        return new Dependency(group, artifact, resolved(version), text(element, "scope"));
    }

    /** Returns the BOMs that have the versions of dependencies without one. */
    List<Dependency> imports() {
        return elements(root, "dependencyManagement", "dependencies", "dependency").stream()
                .filter(each -> text(each, "scope").equals("import"))
                .map(this::dependency)
                .toList();
    }

    String version() {
        return text(root, "version");
    }

    String property(String name) {
        return text(elements(root, "properties").getFirst(), name);
    }

    private String resolved(String text) {
        return Pattern.compile("\\$\\{(.*?)}")
                .matcher(text)
                .replaceAll(each -> Matcher.quoteReplacement(
                        each.group(1).equals("project.version") ? version() : property(each.group(1))));
    }

    /** Returns group, artifact and version of a plugin, as on Maven's command line. */
    String plugin(String artifact) {
        return elements(root, "build", "pluginManagement", "plugins", "plugin").stream()
                .filter(each -> text(each, "artifactId").equals(artifact))
                .map(each -> text(each, "groupId") + ":" + artifact + ":" + text(each, "version"))
                .findFirst()
                .orElseThrow(() -> new Failure("pom.xml has no version of " + artifact));
    }

    Module in(String directory) {
        return modules.values().stream()
                .filter(module -> module.directory().equals(home.resolve(directory)))
                .findFirst()
                .orElseThrow(() -> new Failure("no pom.xml lists the module " + directory));
    }

    /**
     * Returns a module and those of ours that it runs with: each behind what it needs, first those that most of them
     * need.
     */
    List<Module> closure(Module product) {
        Set<Module> found = new LinkedHashSet<>();
        visit(product, found);
        return found.stream()
                .sorted(Comparator.comparingLong(each -> -found.stream()
                        .filter(other -> needs(other).contains(each))
                        .count()))
                .toList();
    }

    private void visit(Module module, Set<Module> found) {
        if (found.add(module)) {
            module.dependencies().stream().filter(Dependency::ours).forEach(each -> visit(module(each), found));
        }
    }

    private Module module(Dependency dependency) {
        return Objects.requireNonNull(modules.get(dependency.artifact()), dependency::artifact);
    }

    /** Returns our modules that must be compiled before this one, without this one. */
    Set<Module> needs(Module module) {
        Set<Module> needs = new LinkedHashSet<>();
        module.dependencies().stream()
                .filter(each -> each.ours() && !each.scope().equals("runtime"))
                .map(this::module)
                .forEach(each -> {
                    needs.addAll(needs(each));
                    needs.add(each);
                });
        return needs;
    }

    List<Resource> resources(Module module) {
        return elements(root, "build", "resources", "resource").stream()
                .map(each -> new Resource(
                        Path.of(text(each, "directory")
                                .replace(
                                        "${project.basedir}", module.directory().toString())
                                .replace("${maven.multiModuleProjectDirectory}", home.toString())),
                        text(each, "targetPath"),
                        elements(each, "includes", "include").stream()
                                .map(Element::getTextContent)
                                .toList()))
                .toList();
    }

    /** Returns the files and directories that modules are made of, by their paths in the checkout. */
    List<String> inputs(List<Module> parts) {
        Set<Path> inputs = new LinkedHashSet<>(lists);
        for (Module part : parts) {
            inputs.add(part.pom());
            inputs.add(part.directory().resolve("src/main"));
            for (Resource resource : resources(part)) {
                resource.names().forEach(name -> inputs.add(resource.directory().resolve(name)));
            }
        }
        return inputs.stream().map(each -> home.relativize(each).toString()).toList();
    }

    private static Element parse(Path directory) {
        Path file = directory.resolve("pom.xml");
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(file.toFile())
                    .getDocumentElement();
        } catch (IOException | SAXException | ParserConfigurationException e) {
            throw new Failure("cannot read " + file + ": " + e);
        }
    }

    /** Returns the text of the first child of that name, empty without one. */
    private static String text(Element element, String name) {
        List<Element> found = elements(element, name);
        return found.isEmpty() ? "" : found.getFirst().getTextContent().strip();
    }

    /** Returns the elements to which a path of names leads. */
    private static List<Element> elements(Element from, String... path) {
        List<Element> found = List.of(from);
        for (String name : path) {
            List<Element> next = new ArrayList<>();
            for (Element element : found) {
                for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
                    if (node instanceof Element child && child.getTagName().equals(name)) {
                        next.add(child);
                    }
                }
            }
            found = next;
        }
        return found;
    }
}
