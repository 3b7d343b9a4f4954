package org.panamaverbs.iwarp.shm;

import java.io.FileInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.panamaverbs.iwarp.core.PeerMemory;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.MemorySlab;

/** Is sent a slab in a JVM that has no descriptor left for a moment; prints whether it reaches the slab later. */
final class DirectScarce {
    private static final int ACCESSES = 1000;

    private DirectScarce() {}

    public static void main(String[] arguments) throws IOException {
        try (TwoLinks links = TwoLinks.of(5);
                MemorySlab first = MemorySlab.shared("panama-verbs test slab", 4096);
                MemorySlab second = MemorySlab.shared("panama-verbs test slab", 4096)) {
            PeerMemory memory = links.reach();
            // What is loaded later needs a descriptor.
            System.out.println("entered=" + entered(links, memory, register(links, first)));
            Region region = register(links, second);
            memory.enter(region.stag(), region.base(), 8, Access.REMOTE_WRITE);
            links.owner.serve();

            List<FileInputStream> held = new ArrayList<>();
            fill(held);
            boolean without = memory.enter(region.stag(), region.base(), 8, Access.REMOTE_WRITE);
            for (FileInputStream one : held) {
                one.close();
            }

            System.out.println("without=" + without);
            System.out.println("entered=" + entered(links, memory, region));
        }
    }

    private static Region register(TwoLinks links, MemorySlab slab) {
        return links.register(slab.segment(), Access.LOCAL_WRITE, Access.REMOTE_WRITE);
    }

    private static boolean entered(TwoLinks links, PeerMemory memory, Region region) {
        for (int i = 0; i < ACCESSES; i++) {
            if (memory.enter(region.stag(), region.base(), 8, Access.REMOTE_WRITE)) {
                memory.leave();
                return true;
            }
            links.owner.serve();
        }
        return false;
    }

    private static void fill(List<FileInputStream> held) {
        try {
            while (true) {
                held.add(new FileInputStream("/dev/null"));
            }
        } catch (IOException e) {
            // There are no more.
        }
    }
}
