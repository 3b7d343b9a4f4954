import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import scala.Tuple2;

/**
 * Sorts records of 100 bytes on a cluster of Apache Spark and checks the result: each record is as it was made, each
 * key is followed by one that is not less, within parts and between them, and keys are as many as were made, with the
 * same sum. Not of the build: provider/sockets/programs/spark-sort compiles and starts it.
 */
public final class SparkSort {
    private static final int PAYLOAD_BYTES = 92;
    private static final int RECORDS_A_MEGABYTE = 10_000;

    private SparkSort() {}

    /** What a sorted part has. */
    private record Part(long count, long sum, long first, long last) implements Serializable {}

    /** Counts bytes of the shuffle that came from other executors. */
    private static final class Shuffled extends SparkListener {
        private final AtomicLong bytes = new AtomicLong();

        @Override
        public void onTaskEnd(SparkListenerTaskEnd end) {
            if (end.taskMetrics() != null) {
                bytes.addAndGet(end.taskMetrics().shuffleReadMetrics().remoteBytesRead());
            }
        }
    }

    /** Runs {@code MEGABYTES PARTS}. */
    public static void main(String[] arguments) {
        int parts = Integer.parseInt(arguments[1]);
        long each = Long.parseLong(arguments[0]) * RECORDS_A_MEGABYTE / parts;
        Shuffled shuffled = new Shuffled();
        try (JavaSparkContext context = new JavaSparkContext(new SparkConf().setAppName("SparkSort"))) {
            context.sc().addSparkListener(shuffled);
            List<Integer> seeds = IntStream.range(0, parts).boxed().toList();
            long begun = System.nanoTime();
            JavaPairRDD<Long, byte[]> sorted = context.parallelize(seeds, parts)
                    .flatMapToPair(seed -> made(seed, each))
                    .sortByKey(true, parts);
            List<Part> found = sorted.mapPartitions(SparkSort::checked).collect();
            long seconds = (System.nanoTime() - begun) / 1_000_000_000;
            check(found, seeds, each);
            System.out.println("sorted " + each * parts + " records in " + seconds + " s");
        }
        // Behind the end of the context, which has told its listeners of everything.
        System.out.println("shuffled " + shuffled.bytes + " bytes between executors");
        if (shuffled.bytes.get() == 0) {
            throw new IllegalStateException("nothing went from one executor to another");
        }
    }

    private static LongStream keys(int seed, long count) {
        return new SplittableRandom(seed).longs(count);
    }

    private static Iterator<Tuple2<Long, byte[]>> made(int seed, long count) {
        return keys(seed, count)
                .mapToObj(key -> new Tuple2<>(key, payload(key)))
                .iterator();
    }

    private static byte[] payload(long key) {
        byte[] payload = new byte[PAYLOAD_BYTES];
        new SplittableRandom(key).nextBytes(payload);
        return payload;
    }

    private static Iterator<Part> checked(Iterator<Tuple2<Long, byte[]>> records) {
        long count = 0;
        long sum = 0;
        long first = 0;
        long last = Long.MIN_VALUE;
        while (records.hasNext()) {
            Tuple2<Long, byte[]> record = records.next();
            long key = record._1();
            if (key < last || !Arrays.equals(record._2(), payload(key))) {
                throw new IllegalStateException("key " + key + " behind " + last + ", or not as it was made");
            }
            first = count == 0 ? key : first;
            last = key;
            sum += key;
            count++;
        }
        return count == 0
                ? List.<Part>of().iterator()
                : List.of(new Part(count, sum, first, last)).iterator();
    }

    private static void check(List<Part> found, List<Integer> seeds, long each) {
        List<Long> bounds = new ArrayList<>();
        found.forEach(part -> bounds.addAll(List.of(part.first(), part.last())));
        if (!bounds.equals(bounds.stream().sorted().toList())) {
            throw new IllegalStateException("the parts are not in order: " + found);
        }
        long count = found.stream().mapToLong(Part::count).sum();
        long sum = found.stream().mapToLong(Part::sum).sum();
        long sumMade = seeds.stream().mapToLong(seed -> keys(seed, each).sum()).sum();
        if (count != each * seeds.size() || sum != sumMade) {
            throw new IllegalStateException(count + " records with sum " + sum + ", not " + sumMade);
        }
    }
}
