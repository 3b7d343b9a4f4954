package org.panamaverbs.bench.loopback.exchange;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** An end whose thread looks for what it waits for again and again. */
public abstract class SpinningEnd implements End {
    private final RoundTrips trips = new RoundTrips();
    private final Patience patience = new Patience();
    private @Nullable PeerThread peer;

    /** Has questions be due as {@link RoundTrips#pace} says. */
    protected final void pace(long interval) {
        trips.pace(interval);
    }

    /** Gives back what has come, if that is something; returns whether there was anything to do. */
    protected abstract boolean answer(boolean polls) throws IOException;

    /** Sends what is to be answered. */
    protected abstract void ask() throws IOException;

    /** Looks once; returns whether the answer has come. */
    protected abstract boolean hasCome(boolean polls) throws IOException;

    @Override
    public final void serve(boolean polls) {
        peer = PeerThread.start(() -> answer(polls));
    }

    @Override
    public final void rest() {
        PeerThread its = peer;
        peer = null;
        if (its != null) {
            its.check();
            its.close();
        }
    }

    @Override
    public final Figure measure(boolean polls, long nanos) throws IOException {
        trips.begin(nanos);
        do {
            ask();
            patience.renew();
            while (!hasCome(polls)) {
                patience.await();
            }
        } while (trips.answered());
        return trips.figure();
    }
}
