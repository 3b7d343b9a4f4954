package org.panamaverbs.cli.perf;

import java.util.Optional;
import java.util.function.Consumer;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.spi.support.Waits;

/** Turns away whoever asks while a client is served, on a thread of its own that sleeps until somebody does. */
final class AdmissionControl implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(AdmissionControl.class.getName());

    private final Listener listener;
    private final Consumer<ConnectionRequest> refusal;
    private final Thread thread;

    /** Begins; {@code refusal} rejects each request. */
    AdmissionControl(Listener listener, Consumer<ConnectionRequest> refusal) {
        this.listener = listener;
        this.refusal = refusal;
        thread = Thread.ofPlatform().daemon().name("perf-admission").start(this::run);
    }

    private void run() {
        try {
            while (true) {
                Optional<ConnectionRequest> asked = listener.poll(Deadline.never());
                asked.ifPresent(request -> {
                    try (request) {
                        refusal.accept(request);
                    }
                });
            }
        } catch (IllegalStateException | VerbsException e) {
            LOGGER.log(
                    System.Logger.Level.DEBUG, "other clients can no longer be refused", e); // the listener is closed
        }
    }

    /** Closes the listener, by which the thread ends. */
    @Override
    public void close() {
        listener.close();
        Waits.awaitEnd(thread);
    }
}
