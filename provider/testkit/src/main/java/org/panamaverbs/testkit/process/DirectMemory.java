package org.panamaverbs.testkit.process;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/** The memory of direct buffers that this process holds. */
public final class DirectMemory {
    private DirectMemory() {}

    /** Returns how many bytes they are now. */
    public static long usedBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }
}
