package org.panamaverbs.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.panamaverbs.testkit.Messages.Message;

/** Every message that the public API, its providers and its tools can throw, log or print, listed for a review. */
class MessagesTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final Path LISTS = Path.of("src", "test", "resources", "messages");

    /** The modules, by directory. */
    static final List<String> MODULES = List.of(
            "bindings",
            "memory",
            "provider/api",
            "provider/ibverbs",
            "provider/iwarp",
            "provider/sockets",
            "provider/channel",
            "provider/cli");

    private static final Pattern REMEDY_WORD = Pattern.compile("(?i)\\bremed(?:y|ies)\\b(?! {3})");
    private static final String REMEDY = "; remedy: ";

    /** What a remedy may begin with: a verb in the imperative, or a value. */
    private static final Pattern IMPERATIVE =
            Pattern.compile("(?:accept|add|adopt|align|allocate|arm|ask|await|bind|call"
                    + "|capture|change|check|choose|close|compare|configure|connect|copy|correct|create|discard|enable|end|find"
                    + "|follow|free|give|grant|have|increase|install|join|keep|leave|let|listen|load|look|lower|make|measure|mount|merge|move"
                    + "|name|open|pass|poll|post|put|raise|read|record|register|remove|replace|report|request|resize|retry|run"
                    + "|see|send|set|split|start|submit|update|use|wait|write|apt|chmod|modprobe)\\b.*|\\{}.*|");

    /** A remedy that is not marked as one. */
    private static final Pattern UNMARKED = Pattern.compile("(?<!remedy)[:;] (?:add|align|allocate|ask|bind|call|check"
            + "|choose|close|compare|create|discard|enable|free|give|have|install|keep|leave|look|make|modprobe|mount"
            + "|name|pass|poll|post|put|raise|register|remove|report|retry|run|see|start|take|try|use|wait) (?!of )");

    /** Texts that are tables of remedies, or of options. */
    private static final Pattern TABLES = Pattern.compile(
            "^(?:cm[.]TerminateGuide|engine[.]device[.]IwarpOption|perf[.]ForeignOptions|doctor[.].*)$");

    private static final Pattern CHOICE = Pattern.compile("\\[([^\\[\\]|]*)\\|([^\\[\\]|]*)]");

    /** Words that only this project uses, and idioms of other languages. */
    private static final Pattern PRIVATE = Pattern.compile("(?i)\\b(?:turned away|is none of|to do:|doorkeeper|nudged?"
            + "|lent|lending|ours|passes of|stations?|go(?:es)? by|hears? nobody|nobody|who|anew|so far|but for|not to be had|all the same|beside"
            + "|in vain|meanwhile|in time|tells? (?:no|of|the)|(?:was|is) told|(?<!there )(?:is|are) no (?!longer|more)"
            + "|has not (?!(?:yet )?(?:\\w+ed|begun|come|been|met)\\b))\\b");

    private static final Pattern OCTETS = Pattern.compile("(?i)\\boctets?\\b");

    /** Packages whose messages speak of formats of the wire, as the RFCs do. */
    private static final Pattern OF_THE_WIRE = Pattern.compile("^(?:wire|core|decode)[.]");

    static List<String> modules() {
        return MODULES;
    }

    @ParameterizedTest
    @MethodSource("modules")
    void theListHoldsEveryMessage(String module) throws IOException {
        Path list = LISTS.resolve(Path.of(module).getFileName() + ".txt");
        List<String> lines = messages(module).stream().map(Message::toString).toList();
        if (Boolean.getBoolean("messages.update")) {
            Files.createDirectories(LISTS);
            Files.write(list, lines);
            return;
        }

        assertThat(Files.readAllLines(list))
                .as(list + " is stale: run this test with -Dmessages.update=true and read what changed")
                .isEqualTo(lines);
    }

    /** A remedy stands once, at the end, behind {@code ; remedy:}, in the imperative and without a full stop. */
    @ParameterizedTest
    @MethodSource("modules")
    void remediesHaveOneForm(String module) throws IOException {
        assertThat(messages(module))
                .filteredOn(message -> !alternatives(message.text()).stream().allMatch(MessagesTest::hasRemedyInForm))
                .isEmpty();
    }

    private static boolean hasRemedyInForm(String text) {
        if (!REMEDY_WORD.matcher(text).find()) {
            return true;
        }
        int begin = text.indexOf(REMEDY);
        if (begin < 0) {
            // A label: what follows it is composed elsewhere.
            return text.endsWith(REMEDY.strip());
        }
        String remedy = text.substring(begin + REMEDY.length());
        return !REMEDY_WORD.matcher(text.substring(0, begin) + remedy).find()
                && IMPERATIVE.matcher(remedy).matches()
                && !remedy.endsWith(".");
    }

    /** Returns {@code text} with each of its choices taken, {@code [one|other]}. */
    private static List<String> alternatives(String text) {
        Matcher choice = CHOICE.matcher(text);
        return choice.find()
                ? Stream.of(choice.group(1), choice.group(2))
                        .map(each -> text.substring(0, choice.start()) + each + text.substring(choice.end()))
                        .flatMap(each -> alternatives(each).stream())
                        .toList()
                : List.of(text);
    }

    /** What to do is not hidden behind a colon or a semicolon alone. */
    @ParameterizedTest
    @MethodSource("modules")
    void remediesAreMarked(String module) throws IOException {
        assertThat(messages(module))
                .filteredOn(message -> !TABLES.matcher(message.type()).matches())
                .filteredOn(message -> !message.place().equals("help"))
                .filteredOn(message -> UNMARKED.matcher(message.text()).find())
                .isEmpty();
    }

    /** Whoever gets no object from a device can do something about it, and the message says what. */
    @ParameterizedTest
    @MethodSource("modules")
    void failuresOfResourcesHaveRemedies(String module) throws IOException {
        assertThat(messages(module))
                .filteredOn(message -> message.place().equals("ResourceException"))
                .filteredOn(message ->
                        message.text().contains(" ") && !message.text().endsWith("{}"))
                .allMatch(message -> message.text().contains("; remedy: "));
    }

    @ParameterizedTest
    @MethodSource("modules")
    void wordsAreThoseOfTheField(String module) throws IOException {
        assertThat(messages(module))
                .filteredOn(message -> PRIVATE.matcher(message.text()).find()
                        || (OCTETS.matcher(message.text()).find()
                                && !OF_THE_WIRE.matcher(message.type()).find()))
                .isEmpty();
    }

    private static Set<Message> messages(String module) throws IOException {
        return Messages.below(ROOT.resolve(module).resolve("src/main/java"));
    }
}
