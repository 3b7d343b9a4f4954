package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.cm.Listener;

/** What the log says of a request that nobody answered. */
@Timeout(60)
class DroppedRequestTest {
    private final CompletableFuture<Throwable> logged = new CompletableFuture<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            logged.complete(line.getThrown());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @Test
    void noStackTraceNamesThePlaceWhereAClassWasLoaded() throws Exception {
        Logger logger = Logger.getLogger("org.panamaverbs.iwarp.engine.cm.Acceptor");
        Level before = logger.getLevel();
        logger.setLevel(Level.FINE);
        logger.addHandler(handler);
        try (Peer server = new Peer();
                Peer client = new Peer();
                Listener listener = server.verbs.listen(Raw.ANY_PORT)) {
            Background<Boolean> connecting = Background.start(() -> {
                try {
                    client.verbs.connect(listener.localAddress(), client.config(), Peer.soon());
                    return true;
                } catch (ConnectionException e) {
                    return false;
                }
            });
            listener.accept(Peer.soon()).close();

            assertThat(logged.get(20, TimeUnit.SECONDS))
                    .hasMessageContaining("dropped")
                    .satisfies(dropped -> assertThat(dropped.getStackTrace()).isEmpty());
            assertThat(connecting.get()).isFalse();
        } finally {
            logger.removeHandler(handler);
            logger.setLevel(before);
        }
    }
}
