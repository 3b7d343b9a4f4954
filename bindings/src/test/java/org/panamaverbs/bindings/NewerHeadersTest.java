package org.panamaverbs.bindings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.panamaverbs.bindings.ibverbs.ibv_qp_ex;

/** What the provider has of headers beyond what is bound, against a C compiler, where this machine's are so new. */
class NewerHeadersTest {
    private static final Path HEADER = Path.of("/usr/include/infiniband/verbs.h");

    @TempDir
    private Path directory;

    private void requireHas(String name) throws Exception {
        assumeTrue(
                CCompiler.of(Architecture.CURRENT, directory).obstacle(HEADER).isEmpty(), "there is nothing to ask");
        assumeTrue(Files.readString(HEADER).contains(name), () -> "the headers of libibverbs are too old for " + name);
    }

    private void agree(Fact... facts) throws Exception {
        List<Long> values = CCompiler.of(Architecture.CURRENT, directory).evaluate(HEADER, List.of(facts));
        for (int i = 0; i < facts.length; i++) {
            assertThat(values.get(i)).as(facts[i].expression()).isEqualTo(facts[i].value());
        }
    }

    private static Fact fact(String expression, long value) {
        return new Fact(expression, value, false);
    }

    @Test
    void atomicWritesOfRdmaCore44() throws Exception {
        requireHas("IBV_QP_EX_WITH_ATOMIC_WRITE");
        agree(fact("IBV_QP_EX_WITH_ATOMIC_WRITE", 1 << 12), fact("IBV_WC_ATOMIC_WRITE", 9));
    }

    @Test
    void flushesOfRdmaCore45() throws Exception {
        requireHas("wr_flush");
        agree(
                fact("offsetof(struct ibv_qp_ex, wr_flush)", ibv_qp_ex.sizeof()),
                fact("IBV_QP_EX_WITH_FLUSH", 1 << 11),
                fact("IBV_WC_FLUSH", 8),
                fact("IBV_ACCESS_FLUSH_GLOBAL", 1 << 8),
                fact("IBV_ACCESS_FLUSH_PERSISTENT", 1 << 9),
                fact("IBV_FLUSH_GLOBAL", 1),
                fact("IBV_FLUSH_PERSISTENT", 1 << 1),
                fact("IBV_FLUSH_RANGE", 0),
                fact("IBV_FLUSH_MR", 1));
    }
}
