package org.panamaverbs.iwarp.net;

/** The watch of one channel by a {@link Poller}. */
public interface Watch {
    /** There is something to read, or a connection to accept. */
    int READ = 1;
    /** There is room to write, or the attempt to connect is over. */
    int WRITE = 2;

    /** Returns what is waited for. */
    int interest();

    /**
     * Says what to wait for, 0 for nothing; without effect once the channel is closed. The poller tries again what the
     * system refuses.
     */
    void interest(int operations);

    /** Tells whether the channel was found to have room; between the readiness and the next wait. */
    boolean isWritable();

    /** Ends the watch; the channel stays open. */
    void cancel();

    /** Returns what the owner keeps here. */
    Object attachment();

    /** Has the watch keep {@code attachment}. */
    void attach(Object attachment);
}
