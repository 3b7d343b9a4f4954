package org.panamaverbs.disni.objects;

import com.ibm.disni.verbs.IbvCompChannel;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.Deadline;

/** A completion channel. DiSNI destroys it before its queues: then it goes with the last of them. */
public final class CompChannel extends IbvCompChannel {
    private static final int NO_DESCRIPTOR = -1;

    private final Context owner;
    private final CompletionChannel channel;
    private int queues;

    public CompChannel(Context context, CompletionChannel channel) throws IOException {
        super(channel.fileDescriptor().orElse(NO_DESCRIPTOR), context);
        this.owner = context;
        this.channel = channel;
        context.made(channel, channel::close);
    }

    /** Returns the channel for one more queue, which must {@link #release} it. */
    public synchronized CompletionChannel acquire() throws IOException {
        requireOpen("createCQ");
        queues++;
        return channel;
    }

    public synchronized void release() {
        queues--;
        closeUnused();
    }

    public synchronized void destroy() throws IOException {
        requireOpen("destroyCompChannel");
        isOpen = false;
        Failures.run("destroyCompChannel", this::closeUnused);
    }

    /** Waits for an event for {@code timeout} milliseconds, for ever if that is negative, and takes it. */
    public boolean await(int timeout) throws IOException {
        requireOpen("getCqEvent");
        Deadline deadline = timeout < 0 ? Deadline.never() : Deadline.in(timeout, TimeUnit.MILLISECONDS);
        return Failures.call("getCqEvent", () -> channel.await(deadline).isPresent());
    }

    private void requireOpen(String operation) throws IOException {
        if (!isOpen) {
            throw Failures.closed(operation, "the completion channel");
        }
    }

    private void closeUnused() {
        if (!isOpen && queues == 0) {
            channel.close();
            owner.ended(channel);
        }
    }
}
