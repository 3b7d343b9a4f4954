package org.panamaverbs.ibverbs.facts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The kernel's counters of a device. */
class CountersTest {
    @TempDir
    private Path classes;

    @Test
    void readsThoseOfAllPorts() throws IOException {
        put("ports/1/counters/port_xmit_data", "17\n");
        put("ports/1/hw_counters/rcvd_pkts", "18446744073709551615\n");
        put("ports/1/hw_counters/lifespan", "10\n");
        put("ports/2/hw_counters/rcvd_pkts", "3\n");

        put("hw_counters/lost_by_the_device", "5\n");

        assertThat(Counters.of(classes, "rxe0"))
                .containsEntry("port1.port_xmit_data", 17L)
                .containsEntry("port1.rcvd_pkts", -1L)
                .containsEntry("port2.rcvd_pkts", 3L)
                .containsEntry("lost_by_the_device", 5L)
                .hasSize(4);
        assertThat(Counters.ofPort(classes, "rxe0", 1))
                .containsEntry("port_xmit_data", 17L)
                .containsEntry("rcvd_pkts", -1L)
                .hasSize(2);
    }

    @Test
    void leavesOutWhatIsNotKept() throws IOException {
        put("ports/1/counters/VL15_dropped", "N/A (no PMA)\n");
        assertThat(Counters.of(classes, "rxe0")).isEmpty();
    }

    @Test
    void hasNoneWithoutTheDevice() {
        assertThat(Counters.of(classes, "rxe7")).isEmpty();
    }

    private void put(String file, String text) throws IOException {
        Path path = classes.resolve("infiniband/rxe0").resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
