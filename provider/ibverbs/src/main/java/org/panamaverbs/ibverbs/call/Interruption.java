package org.panamaverbs.ibverbs.call;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.spi.AbstractInterruptibleChannel;

/**
 * Has an interrupt of the thread end its wait in a system call: the JDK closes the channel that an interrupted thread
 * is in, and the closing of this one is a signal. For one wait; without an interrupt nothing is left to be closed.
 */
final class Interruption extends AbstractInterruptibleChannel {
    private final Runnable signal;

    Interruption(Runnable signal) {
        this.signal = signal;
    }

    /** Begins the wait; if the thread is interrupted already, the signal is given. */
    void enter() {
        begin();
    }

    /** Ends the wait; tells whether the thread was interrupted: then the signal was given. */
    boolean leave() {
        try {
            end(true);
            return false;
        } catch (ClosedByInterruptException e) {
            closed(); // which waits for the interrupting thread: its signal is not one of a later wait
            return true;
        } catch (IOException e) {
            throw new AssertionError("nothing else closes it", e);
        }
    }

    private void closed() {
        try {
            close();
        } catch (IOException e) {
            throw new AssertionError("a signal is no input or output", e);
        }
    }

    @Override
    protected void implCloseChannel() {
        signal.run();
    }
}
