package org.panamaverbs.sockets.programs;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.apache.kafka.common.serialization.IntegerSerializer;

/**
 * A producer and a consumer of a broker of Kafka: what each partition holds is checked byte by byte, in its order.
 */
final class KafkaRecords {
    private static final String TOPIC = "records";
    private static final int MOST_BYTES = 20_000;
    private static final int END_SECONDS = 100;

    private KafkaRecords() {}

    /** Runs {@code produce} or {@code consume}, each with {@code BROKER PARTITIONS RECORDS}. */
    public static void main(String[] arguments) throws Exception {
        String broker = arguments[1];
        int partitions = Integer.parseInt(arguments[2]);
        int records = Integer.parseInt(arguments[3]);
        if (arguments[0].equals("produce")) {
            produce(broker, partitions, records);
        } else {
            consume(broker, partitions, records);
            System.out.println("checked " + partitions * records);
        }
        System.out.println("ended");
    }

    private static void produce(String broker, int partitions, int records) throws Exception {
        Properties properties = common(broker);
        // The broker may still be starting.
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, seconds(END_SECONDS));
        Random[] octets = contents(partitions);
        List<Future<RecordMetadata>> acknowledged = new ArrayList<>();
        try (KafkaProducer<Integer, byte[]> producer =
                new KafkaProducer<>(properties, new IntegerSerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < records; i++) {
                for (int each = 0; each < partitions; each++) {
                    acknowledged.add(producer.send(new ProducerRecord<>(TOPIC, each, i, value(octets[each]))));
                }
            }
            for (Future<RecordMetadata> each : acknowledged) {
                each.get(END_SECONDS, TimeUnit.SECONDS);
            }
        }
    }

    /** Reads as one of a group does, while there are still records to come. */
    private static void consume(String broker, int partitions, int records) throws IOException {
        Properties properties = common(broker);
        properties.put(ConsumerConfig.GROUP_ID_CONFIG, "checkers");
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, seconds(END_SECONDS));
        Random[] octets = contents(partitions);
        int[] next = new int[partitions];
        int left = partitions * records;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(END_SECONDS);
        try (KafkaConsumer<Integer, byte[]> consumer =
                new KafkaConsumer<>(properties, new IntegerDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of(TOPIC));
            while (left > 0) {
                if (System.nanoTime() > deadline) {
                    throw new IOException(left + " records have not come");
                }
                for (ConsumerRecord<Integer, byte[]> each : consumer.poll(Duration.ofSeconds(1))) {
                    int partition = each.partition();
                    if (each.key() != next[partition]++ || !Arrays.equals(each.value(), value(octets[partition]))) {
                        throw new IOException("not what was sent: " + each);
                    }
                    left--;
                }
            }
            consumer.commitSync();
        }
    }

    private static Properties common(String broker) {
        Properties properties = new Properties();
        properties.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, broker);
        // The topic is made when it is first asked for: its partitions are seen soon after.
        properties.put(CommonClientConfigs.METADATA_MAX_AGE_CONFIG, seconds(1));
        return properties;
    }

    private static int seconds(int seconds) {
        return (int) TimeUnit.SECONDS.toMillis(seconds);
    }

    private static Random[] contents(int partitions) {
        Random[] contents = new Random[partitions];
        Arrays.setAll(contents, Random::new);
        return contents;
    }

    private static byte[] value(Random octets) {
        byte[] value = new byte[octets.nextInt(MOST_BYTES)];
        octets.nextBytes(value);
        return value;
    }
}
