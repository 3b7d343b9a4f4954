package org.panamaverbs.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.panamaverbs.testkit.Messages.Message;

/** Every message that the public API, its providers and its tools can throw, log or print, listed for a review. */
class MessagesTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final Path LISTS = Path.of("src", "test", "resources", "messages");

    /** The modules, by directory. */
    static final List<String> MODULES =
            List.of("memory", "provider/api", "provider/ibverbs", "provider/iwarp", "provider/sockets", "provider/cli");

    private static final Pattern REMEDY_WORD = Pattern.compile("(?i)\\bremed(?:y|ies)\\b(?! {3})");
    private static final Pattern REMEDY = Pattern.compile("; remedy: (?=[a-z`'{]|$)");

    /** Words that only this project uses, and idioms of other languages. */
    private static final Pattern PRIVATE = Pattern.compile(
            "(?i)\\b(?:turned away|is none of|to do:|doorkeeper|nudged?" + "|lent|lending|goes by|hears? nobody)\\b");

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

    /** A remedy stands at the end, behind {@code ; remedy:}, in the imperative. */
    @ParameterizedTest
    @MethodSource("modules")
    void remediesHaveOneForm(String module) throws IOException {
        assertThat(messages(module))
                .filteredOn(
                        message -> REMEDY_WORD.matcher(message.text()).results().count()
                                != REMEDY.matcher(message.text()).results().count())
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
