package org.panamaverbs.iwarp.net;

import java.io.FileInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.panamaverbs.bindings.libc.Libc;

/** Makes a poller in a JVM that has one descriptor left, which is one too few; prints what came of it. */
final class ScarceDescriptors {
    private ScarceDescriptors() {}

    public static void main(String[] arguments) throws IOException {
        // What is loaded later needs a descriptor.
        new EpollPoller().close();
        IOException words = LibcErrors.of("eventfd", Libc.EMFILE());
        List<FileInputStream> held = new ArrayList<>();
        fill(held);
        held.removeLast().close();

        String failure = "not " + words.getMessage();
        try {
            new EpollPoller();
        } catch (IOException e) {
            failure = e.getMessage();
        }
        int before = held.size();
        fill(held);
        int free = held.size() - before;
        for (FileInputStream one : held) {
            one.close();
        }
        System.out.println("failure=" + failure);
        System.out.println("free=" + free);
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
