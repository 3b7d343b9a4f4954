package org.panamaverbs.sockets.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import kafka.Kafka;
import kafka.tools.StorageTool;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker of Kafka that is its own controller (KRaft), a producer and a consumer, in three processes. */
@Timeout(400)
@Tag("proof")
class KafkaTest {
    private static final int PARTITIONS = 3;
    private static final int RECORDS = 300;

    /** An exit status for a process that was asked to terminate: 128 and SIGTERM. */
    private static final String TERMINATED = "exit 143";

    @TempDir
    private Path directory;

    @Test
    void aConsumerGetsWhatAProducerGivesTheBroker() throws Exception {
        // A controller's port is in the configuration of its broker: on an address of loopback of its own it is free.
        Random random = new Random();
        String address =
                "127." + (1 + random.nextInt(254)) + "." + random.nextInt(256) + "." + (1 + random.nextInt(254));
        String properties = configure(address).toString();
        try (ProgramRun formatting = ProgramRun.start(
                StorageTool.class,
                List.of(),
                "format",
                "--standalone",
                "--cluster-id=AAAAAAAAQACAAAAAAAAAAQ",
                "--config=" + properties)) {
            assertThat(formatting.end()).contains("exit 0");
        }
        String[] load = {address + ":9092", String.valueOf(PARTITIONS), String.valueOf(RECORDS)};
        try (ProgramRun broker = ProgramRun.start(Kafka.class, List.of(), properties);
                ProgramRun consumer =
                        ProgramRun.start(KafkaRecords.class, List.of(), "consume", load[0], load[1], load[2]);
                ProgramRun producer =
                        ProgramRun.start(KafkaRecords.class, List.of(), "produce", load[0], load[1], load[2])) {
            assertThat(producer.end()).contains("ended", "exit 0");
            assertThat(consumer.end()).contains("checked " + PARTITIONS * RECORDS, "ended", "exit 0");
            assertThat(broker.terminate()).contains(TERMINATED);
        }
    }

    private Path configure(String address) throws Exception {
        return Files.writeString(
                directory.resolve("server.properties"), """
                process.roles=broker,controller
                node.id=1
                listeners=PLAINTEXT://%1$s:9092,CONTROLLER://%1$s:9093
                controller.listener.names=CONTROLLER
                controller.quorum.bootstrap.servers=%1$s:9093
                log.dirs=%2$s
                num.partitions=%3$d
                offsets.topic.num.partitions=1
                offsets.topic.replication.factor=1
                group.initial.rebalance.delay.ms=0
                """.formatted(address, directory.resolve("log"), PARTITIONS));
    }
}
