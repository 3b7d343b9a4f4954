package org.panamaverbs.spi.support;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ListenerConfig;

class KnownTest {
    private static final OpenConfig ANY = OpenConfig.provider("p");

    private static void refuses(String message, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
    }

    @Test
    void takesWhatThereIsAndWhatIsLeftOpen() {
        assertThatCode(() -> {
                    Known.device("p", List.of(), ANY);
                    Known.device("p", List.of("a"), ANY.withDevice("a"));
                    Known.options("p", List.of(), ANY);
                    Known.options("p", List.of("x"), ANY.with("x", "1"));
                    Known.options("p", List.of(), ConnectionConfig.defaults());
                    Known.options("p", List.of(), ListenerConfig.defaults());
                })
                .doesNotThrowAnyException();
    }

    @Test
    void refusesOthersNamingWhatThereIs() {
        refuses(
                "provider p has no device c; it has a, b",
                () -> Known.device("p", List.of("b", "a"), ANY.withDevice("c")));
        refuses("provider p has no option y; it has none", () -> Known.options("p", List.of(), ANY.with("y", "1")));
        refuses("provider p has no option z; it has x", () -> Known.option("p", List.of("x"), "z"));
        refuses(
                "provider p has no connection option y; it has x",
                () -> Known.options(
                        "p", List.of("x"), ConnectionConfig.defaults().with("y", "1")));
        refuses(
                "provider p has no listener option y; it has x",
                () -> Known.options("p", List.of("x"), ListenerConfig.defaults().with("y", "1")));
    }
}
