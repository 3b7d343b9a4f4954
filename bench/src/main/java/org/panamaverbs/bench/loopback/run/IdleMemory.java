package org.panamaverbs.bench.loopback.run;

import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.bench.loopback.exchange.Link;

/**
 * What an idle connection takes: opens some, then more, each exchanging nothing after its set-up, and prints the
 * difference for one side of one of them. Both sides are in this process, which needs two descriptors a connection.
 */
public final class IdleMemory {
    private static final int SOME = 100;
    private static final int COLLECTIONS = 5;
    private static final Pattern OTHER = Pattern.compile("Other \\(reserved=(\\d+)KB");

    private IdleMemory() {}

    /** What the process holds, in bytes. */
    private record Footprint(long nativeBytes, long heapBytes) {
        static Footprint take() throws JMException {
            // Cleaners run after the collection that finds their object, on a thread of their own.
            for (int i = 0; i < COLLECTIONS; i++) {
                System.gc();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            }
            Object summary = ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "vmNativeMemory",
                            new Object[] {new String[] {"summary"}},
                            new String[] {String[].class.getName()});
            Matcher other = OTHER.matcher(String.valueOf(summary));
            if (!other.find()) {
                throw new IllegalStateException("native memory is not tracked: -XX:NativeMemoryTracking=summary");
            }
            long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
            return new Footprint(Long.parseLong(other.group(1)) << 10, heap);
        }
    }

    /**
     * Measures.
     *
     * @param arguments how many connections, and the depth of both queues of each
     */
    public static void main(String[] arguments) throws JMException {
        int connections = Integer.parseInt(arguments[0]);
        int depth = Integer.parseInt(arguments[1]);
        Link first = connect(SOME, depth);
        Footprint before = Footprint.take();
        Link more = connect(connections, depth);
        Footprint after = Footprint.take();
        double sides = 2.0 * connections;
        System.out.printf(
                Locale.ROOT,
                "{\"connections\": %d, \"depth\": %d, \"native_bytes_a_side\": %.0f, \"heap_bytes_a_side\": %.0f}%n",
                connections,
                depth,
                (after.nativeBytes - before.nativeBytes) / sides,
                (after.heapBytes - before.heapBytes) / sides);
        more.close();
        first.close();
    }

    private static Link connect(int connections, int depth) {
        return Link.connect(OpenConfig.provider("iwarp").with("shm", "off"), connections, depth, 4 * depth, 1 << 16);
    }
}
