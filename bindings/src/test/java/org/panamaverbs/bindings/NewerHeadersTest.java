package org.panamaverbs.bindings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.panamaverbs.bindings.ibverbs.ibv_qp_ex;

/** What the provider takes from headers that are newer than those of the bindings, where this machine has such. */
class NewerHeadersTest {
    private static final Path HEADER = Path.of("/usr/include/infiniband/verbs.h");

    @Test
    void flushIsBehindWhatIsBound(@TempDir Path directory) throws Exception {
        assumeTrue(Files.exists(HEADER) && Files.readString(HEADER).contains("wr_flush"), "rdma-core is older than 45");
        Map<String, Long> expected = new LinkedHashMap<>();
        expected.put("offsetof(struct ibv_qp_ex, wr_flush)", ibv_qp_ex.sizeof());
        expected.put("IBV_QP_EX_WITH_FLUSH", 1L << 11);
        expected.put("IBV_QP_EX_WITH_ATOMIC_WRITE", 1L << 12);
        expected.put("IBV_WC_FLUSH", 8L);
        expected.put("IBV_WC_ATOMIC_WRITE", 9L);
        expected.put("IBV_ACCESS_FLUSH_GLOBAL", 1L << 8);
        expected.put("IBV_ACCESS_FLUSH_PERSISTENT", 1L << 9);
        expected.put("IBV_FLUSH_GLOBAL", 1L);
        expected.put("IBV_FLUSH_PERSISTENT", 1L << 1);
        expected.put("IBV_FLUSH_RANGE", 0L);
        expected.put("IBV_FLUSH_MR", 1L);
        List<Fact> facts = expected.entrySet().stream()
                .map(fact -> new Fact(fact.getKey(), fact.getValue(), false))
                .toList();
        assertThat(CCompiler.of(Architecture.CURRENT, directory).evaluate(HEADER, facts))
                .containsExactlyElementsOf(expected.values());
    }
}
