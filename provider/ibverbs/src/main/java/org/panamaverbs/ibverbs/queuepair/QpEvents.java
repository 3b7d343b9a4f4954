package org.panamaverbs.ibverbs.queuepair;

import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.ibverbs.post.NativeQueuePair;

/** What a queue pair makes of the events that the device raises for it. */
final class QpEvents {
    private static final System.Logger LOGGER = System.getLogger(QpEvents.class.getName());

    private final NativeQueuePair queuePair;
    private final QpStates states;
    private volatile @Nullable Runnable onEstablished;

    QpEvents(NativeQueuePair queuePair, QpStates states) {
        this.queuePair = queuePair;
        this.states = states;
    }

    /** Has {@code action} run when the first message of the peer has come; null for nothing. */
    void onEstablished(@Nullable Runnable action) {
        onEstablished = action;
    }

    /** Hears of an event of {@code type}. */
    void raised(AsyncEvent.Type type) {
        switch (type) {
            case COMMUNICATION_ESTABLISHED -> {
                Runnable action = onEstablished;
                if (action != null) {
                    action.run();
                }
            }
            case QP_FATAL, QP_REQUEST_ERROR, QP_ACCESS_ERROR -> noteFailure();
            default -> {
                // Nothing that changes what is known here.
            }
        }
    }

    /** Takes note that the queue pair failed by itself, unless it was reset since. */
    private void noteFailure() {
        try {
            // siw does not tell the state, and resets nothing.
            if (queuePair.context().isIwarp() || states.state() == QueuePairState.ERROR) {
                queuePair.sawError();
            }
        } catch (ResourceException e) {
            queuePair.sawError(); // the device said so, and says nothing else
        } catch (IllegalStateException e) {
            LOGGER.log(Level.DEBUG, "it was closed at the same time", e);
        }
    }
}
