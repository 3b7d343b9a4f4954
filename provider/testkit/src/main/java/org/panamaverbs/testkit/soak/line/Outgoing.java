package org.panamaverbs.testkit.soak.line;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Whom lines connect to, over and over: as soon as one has ended the next is made. Any thread. */
public interface Outgoing {
    /**
     * Where to connect now.
     *
     * @param address the address
     * @param life the process there, null if nobody kills it
     * @param hostile true if garbage is to be expected instead of an answer
     */
    record Target(InetSocketAddress address, @Nullable Life life, boolean hostile) {}

    /** Returns where to connect, null if there is nobody now. */
    @Nullable
    Target target();
}
