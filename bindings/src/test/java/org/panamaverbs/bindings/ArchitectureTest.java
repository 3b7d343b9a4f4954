package org.panamaverbs.bindings;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What differs between the architectures, and that nothing else does; no compiler is needed. */
class ArchitectureTest {
    private static final Path JEXTRACT = Path.of("src", "jextract").toAbsolutePath();
    private static final Pattern STRUCT = Pattern.compile("\\((?:(?:struct|union) )?(\\w+)[ ,)]");

    @ParameterizedTest
    @CsvSource({
        "amd64, X86_64",
        "x86_64, X86_64",
        "aarch64, AARCH64",
        "riscv64, UNKNOWN",
        "ppc64le, UNKNOWN",
        "s390x, UNKNOWN",
        "loongarch64, UNKNOWN",
        "arm, UNKNOWN",
        "'', UNKNOWN"
    })
    void isFoundByTheNameThatTheJdkHasForIt(String osArch, Architecture architecture) {
        assertThat(Architecture.of(osArch)).isEqualTo(architecture);
    }

    @ParameterizedTest
    @EnumSource(names = {"X86_64", "AARCH64"})
    void choosesLayoutsWhenTheClassIsInitialised(Architecture architecture) throws Exception {
        boolean arm = architecture == Architecture.AARCH64;
        Map<String, Long> facts = new TreeMap<>();
        for (BoundHeader header : BoundHeader.values()) {
            for (Fact fact : header.facts(architecture, JEXTRACT).all()) {
                facts.put(fact.expression(), fact.value());
            }
        }

        assertThat(facts)
                .containsEntry("sizeof(pthread_mutex_t)", arm ? 48L : 40L)
                .containsEntry("sizeof(pthread_cond_t)", 48L)
                .containsEntry("offsetof(struct ibv_context, ops)", 8L)
                .containsEntry("offsetof(struct ibv_context, abi_compat)", arm ? 328L : 320L)
                .containsEntry("offsetof(struct ibv_cq_ex, start_poll)", arm ? 152L : 144L)
                .containsEntry("offsetof(struct ibv_qp, qp_num)", 52L)
                .containsEntry("offsetof(struct ibv_qp, events_completed)", arm ? 160L : 152L)
                .containsEntry("sizeof(struct verbs_context)", arm ? 656L : 648L)
                .containsEntry("sizeof(struct epoll_event)", arm ? 16L : 12L)
                .containsEntry("offsetof(struct epoll_event, data)", arm ? 8L : 4L)
                .containsEntry("O_DIRECTORY", arm ? 040000L : 0200000L)
                .containsEntry("O_NOFOLLOW", arm ? 0100000L : 0400000L);
    }

    @Test
    void nothingElseDiffers() throws Exception {
        Set<String> differing = new TreeSet<>();
        for (BoundHeader header : BoundHeader.values()) {
            Facts one = header.facts(Architecture.X86_64, JEXTRACT);
            Facts other = header.facts(Architecture.AARCH64, JEXTRACT);
            assertThat(other.all()).hasSameSizeAs(one.all());
            for (int i = 0; i < one.all().size(); i++) {
                if (!one.all().get(i).equals(other.all().get(i))) {
                    differing.add(named(one.all().get(i).expression()));
                }
            }
        }

        assertThat(differing)
                .containsExactly(
                        "O_DIRECTORY",
                        "O_NOFOLLOW",
                        "epoll_event",
                        "ibv_context",
                        "ibv_cq",
                        "ibv_cq_ex",
                        "ibv_qp",
                        "ibv_qp_ex",
                        "pthread_mutex_t",
                        "verbs_context");
    }

    // The struct that an expression such as `sizeof(((struct a *) 0)->b)` is about, or the constant.
    private static String named(String expression) {
        Matcher matcher = STRUCT.matcher(expression);
        return matcher.find() ? matcher.group(1) : expression;
    }
}
