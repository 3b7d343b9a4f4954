package org.panamaverbs.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What is written in the repository, for people: links that lead somewhere, sentences that say of what they speak. */
class DocumentsTest {
    private static final Path ROOT = Path.of("..", "..");

    private static final Pattern BLOCK = Pattern.compile("(?ms)^```.*?^```$");
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s#]*)(?:#([^)\\s]*))?\\)");
    private static final Pattern SIDE_BAR_LINK = Pattern.compile(", '([^']+[.]md)'\\]");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.*)$");

    private static final Pattern JAVADOC = Pattern.compile("/\\*\\*\\s+(?:\\*\\s+)?(.{1,100})");

    /**
     * A verb and a pronoun in the place of its noun: "Returns it", "Makes one". "Returns one of these" has its noun.
     */
    private static final Pattern WITHOUT_NOUN = Pattern.compile(
            "[A-Z][a-z]+s (?:(?:it|them|those)\\b|both(?=[.,;:]| (?:and|with|through)\\b)|all(?=[.,;:])|one(?=[.,;:]|$"
                    + "| (?:without|with|for|from|that|to|as|if|in|by|on|at|and|back|who|whose|which|over|after|when|where)\\b)).*");

    /** What the formatter leaves of a comment line that was too long: one or two words on a line of their own. */
    private static final Pattern BROKEN = Pattern.compile("(?m)^ *// .{80,}\\R *// (\\S+(?: \\S+)?)$");

    private static final Pattern FILE_OF_DOCS = Pattern.compile("docs/[\\w/.-]*\\.md|docs/decisions/\\d+");

    private static final Pattern MAIN_PACKAGE =
            Pattern.compile("src/main/java/org/panamaverbs/(.+)/package-info[.]java$");
    private static final Pattern CODE = Pattern.compile("`([\\w.*]+)`");

    private static final Pattern STATUS =
            Pattern.compile("(?m)^\\*\\*Status\\*\\*: ((?:accepted|superseded by \\d+), \\d{4}-\\d\\d-\\d\\d[^.]*)\\.");

    private static final Pattern TIER = Pattern.compile("(?m)^ *@Tag\\(\"(proof|lab)\"\\)$");

    private static final Pattern ALONE = Pattern.compile("(?m)^ *@Tag\\(\"alone\"\\)$");

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\| (proof|lab) \\|");

    /** What stands before a table of packages that are named without what is above them. */
    private static final Pattern ABOVE = Pattern.compile("^\\*\\*(core|engine)\\*\\* |^## The ibverbs provider$");

    private static Map<Path, String> texts(String suffix) throws IOException {
        Map<Path, String> texts = new TreeMap<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                String name = directory.getFileName().toString();
                boolean made = name.equals("target") || (name.startsWith(".") && !name.equals(".."));
                return made ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (file.toString().endsWith(suffix)) {
                    texts.put(ROOT.relativize(file), Files.readString(file));
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return texts;
    }

    @Test
    void relativeLinksLeadToFilesAndHeadingsThatExist() throws IOException {
        Map<Path, String> pages = texts(".md");
        List<String> broken = new ArrayList<>();
        int links = 0;
        for (Path page : pages.keySet()) {
            String text = BLOCK.matcher(pages.getOrDefault(page, "")).replaceAll("");
            for (MatchResult link : LINK.matcher(text).results().toList()) {
                if (link.group(1).contains(":")) {
                    continue;
                }
                links++;
                Path target = link.group(1).isEmpty()
                        ? page
                        : page.resolveSibling(link.group(1)).normalize();
                boolean leads = Files.exists(ROOT.resolve(target))
                        && (link.group(2) == null
                                || headings(pages.getOrDefault(target, "")).contains(link.group(2)));
                if (!leads) {
                    broken.add(page + ": " + link.group());
                }
            }
        }

        assertThat(links).isPositive();
        assertThat(broken).isEmpty();
    }

    /** A reader who begins with the README gets to every page by its links, most of them by way of docs/README.md. */
    @Test
    void everyPageIsReachedFromTheReadme() throws IOException {
        Map<Path, String> pages = texts(".md");
        Set<Path> reached = new TreeSet<>();
        Deque<Path> next = new ArrayDeque<>(List.of(Path.of("README.md")));
        while (!next.isEmpty()) {
            Path page = next.pop();
            if (reached.add(page)) {
                String text = BLOCK.matcher(pages.getOrDefault(page, "")).replaceAll("");
                LINK.matcher(text)
                        .results()
                        .filter(link -> link.group(1).endsWith(".md"))
                        .map(link -> page.resolveSibling(link.group(1)).normalize())
                        .filter(pages::containsKey)
                        .forEach(next::push);
            }
        }

        assertThat(pages.keySet().stream()
                        .filter(page -> !reached.contains(page))
                        .filter(page -> !page.toString().replace('\\', '/').contains("src/")))
                .as("pages that no link leads to: name them in docs/README.md, or in the index of their directory")
                .isEmpty();
    }

    /** The site's side bar is a list of its own. */
    @Test
    void theSideBarOfTheSiteLeadsToPages() throws IOException {
        List<String> links = SIDE_BAR_LINK
                .matcher(Files.readString(ROOT.resolve("docs/site/vitepress/navigation.mjs")))
                .results()
                .map(link -> link.group(1))
                .toList();

        assertThat(links).hasSizeBetween(20, 40).doesNotHaveDuplicates();
        assertThat(links).allSatisfy(link -> assertThat(ROOT.resolve(link)).exists());
    }

    /** Returns the names that GitHub gives the headings of {@code page}. */
    private static List<String> headings(String page) {
        return HEADING.matcher(BLOCK.matcher(page).replaceAll(""))
                .results()
                .map(heading -> heading.group(1).strip().toLowerCase(Locale.ROOT))
                .map(heading -> heading.replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
                .toList();
    }

    @Test
    void javadocSaysOfWhatItSpeaks() throws IOException {
        Map<Path, String> sources = texts(".java");
        List<String> without = new ArrayList<>();
        sources.forEach((file, text) -> JAVADOC.matcher(text)
                .results()
                .map(comment -> comment.group(1))
                .filter(sentence -> WITHOUT_NOUN.matcher(sentence).matches())
                .forEach(sentence -> without.add(file + ": " + sentence)));

        assertThat(sources).isNotEmpty();
        assertThat(without).isEmpty();
    }

    @Test
    void sourcesOfJarsNamePagesAndNoFilesOfTheRepository() throws IOException {
        List<String> named = new ArrayList<>();
        texts(".java").forEach((file, text) -> {
            if (file.toString().contains("/src/main/") && !file.toString().contains("examples")) {
                FILE_OF_DOCS.matcher(text).results().forEach(match -> named.add(file + ": " + match.group()));
            }
        });

        assertThat(named)
                .as("who has a jar has no file of docs: say \"the guide's page {@code learn/threads}\"")
                .isEmpty();
    }

    @Test
    void commentLinesAreNotBrokenByTheFormatter() throws IOException {
        List<String> broken = new ArrayList<>();
        texts(".java")
                .forEach((file, text) ->
                        BROKEN.matcher(text).results().forEach(comment -> broken.add(file + ": " + comment.group(1))));

        assertThat(broken).isEmpty();
    }

    /** Each package has a place in the tables of the architecture, and what these name exists. */
    @Test
    void theMapOfPackagesIsTrue() throws IOException {
        Set<String> packages = new TreeSet<>();
        for (Path info : texts("package-info.java").keySet()) {
            Matcher main = MAIN_PACKAGE.matcher(info.toString().replace('\\', '/'));
            if (main.find()) {
                packages.add(main.group(1).replace('/', '.'));
            }
        }

        Set<String> told = new TreeSet<>();
        List<String> unknown = new ArrayList<>();
        String above = "";
        boolean map = false;
        for (String line : Files.readAllLines(ROOT.resolve("docs/architecture.md"))) {
            Matcher heading = ABOVE.matcher(line);
            if (heading.find()) {
                above = heading.group(1) == null ? "ibverbs" : "iwarp." + heading.group(1);
                told.add(above);
            } else if (line.startsWith("## ")) {
                above = "";
                map = line.equals("## Map of packages");
            } else if (line.startsWith("| `") && (map || !above.isEmpty())) {
                tell(line, above.isEmpty() ? "" : above + ".", packages, told, unknown);
            }
        }

        assertThat(packages).hasSizeGreaterThan(50).isSubsetOf(told);
        assertThat(unknown).isEmpty();
    }

    /** Each record says whether it holds, since when and what would change it, and the index says the same. */
    @Test
    void decisionsHaveAStatusThatTheIndexRepeats() throws IOException {
        Path decisions = ROOT.resolve("docs/decisions");
        String index = Files.readString(decisions.resolve("README.md"));
        List<String> wrong = new ArrayList<>();
        int records = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(decisions, "0*.md")) {
            for (Path file : files) {
                records++;
                String text = Files.readString(file);
                Matcher status = STATUS.matcher(text);
                boolean whole = text.contains("**Context.**")
                        && text.contains("**Decision.**")
                        && text.contains("**Consequences.**")
                        && text.contains("**Would change it.**");
                boolean listed = status.find()
                        && index.lines()
                                .anyMatch(row -> row.contains("](" + file.getFileName() + ")")
                                        && row.endsWith("| " + status.group(1) + " |"));
                if (!whole || !listed) {
                    wrong.add(String.valueOf(file.getFileName()));
                }
            }
        }

        assertThat(records).isPositive();
        assertThat(wrong).isEmpty();
    }

    @Test
    void testsOutsideOfVerifyAreListed() throws IOException {
        Set<String> tagged = new TreeSet<>();
        texts("Test.java")
                .forEach((file, text) -> TIER.matcher(text)
                        .results()
                        .forEach(tag -> tagged.add(
                                String.valueOf(file.getFileName()).replace(".java", "") + " " + tag.group(1))));
        Set<String> listed = new TreeSet<>();
        ROW.matcher(Files.readString(ROOT.resolve("docs/results/tiers.md")))
                .results()
                .forEach(row -> listed.add(row.group(1) + " " + row.group(2)));

        assertThat(listed).hasSizeGreaterThan(10).isEqualTo(tagged);
    }

    /** A module runs its classes that are tagged `alone` only if its POM says so. */
    @Test
    void testsTaggedAloneAreRun() throws IOException {
        Set<Path> modules = new TreeSet<>();
        texts("Test.java").forEach((file, text) -> {
            if (ALONE.matcher(text).find() && !TIER.matcher(text).find()) {
                modules.add(Path.of(file.toString().replaceFirst("/src/test/.*", "")));
            }
        });
        List<Path> silent = new ArrayList<>();
        for (Path module : modules) {
            if (!Files.readString(ROOT.resolve(module).resolve("pom.xml"))
                    .contains("<test.alone.phase>test</test.alone.phase>")) {
                silent.add(module);
            }
        }

        assertThat(modules).isNotEmpty();
        assertThat(silent)
                .as("set the property test.alone.phase to `test` in their POMs")
                .isEmpty();
    }

    /** Adds the packages that a row of a table names; those of its first cell have to be there. */
    private static void tell(String row, String above, Set<String> packages, Set<String> told, List<String> unknown) {
        String first = row.split("\\|", -1)[1];
        List<String> begun =
                CODE.matcher(first).results().map(name -> above + name.group(1)).toList();
        String root = begun.getFirst().replace(".*", "");
        boolean below = first.contains("and below") || first.contains(".*`");
        packages.stream()
                .filter(name -> below && (name + ".").startsWith(root + "."))
                .forEach(told::add);
        String beside = root.substring(0, root.lastIndexOf('.') + 1);
        for (MatchResult named : CODE.matcher(row).results().toList()) {
            String name = named.group(1);
            List<String> meant = new ArrayList<>(List.of(above + name));
            if (name.startsWith(".")) {
                meant = List.of(root + name, beside + name.substring(1));
            } else if (!above.isEmpty()) {
                meant.add(root + "." + name);
            }
            boolean found =
                    told.addAll(meant.stream().filter(packages::contains).toList())
                            || meant.stream().anyMatch(told::contains);
            if (!found && !below && first.contains(named.group())) {
                unknown.add(name);
            }
        }
    }
}
