package org.panamaverbs.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.panamaverbs.testkit.Messages.Message;

/** Every message that the public API, its providers and its tools can throw, log or print, listed for a review. */
class MessagesTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final Path LISTS = Path.of("src", "test", "resources", "messages");

    /** The modules, by directory. */
    static final List<String> MODULES =
            List.of("memory", "provider/api", "provider/ibverbs", "provider/iwarp", "provider/cli");

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

    private static Set<Message> messages(String module) throws IOException {
        return Messages.below(ROOT.resolve(module).resolve("src/main/java"));
    }
}
