package org.panamaverbs.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.opentest4j.TestAbortedException;

/** Each peer delivers the bytes that were sent, both ways, and measures as many messages as it was told to. */
@Timeout(30)
class PeerTest {
    private static final int COUNT = 30;
    private static final int WARM_UP = 10;

    @ParameterizedTest
    @CsvSource({
        "NETTY, 8, true",
        "NETTY, 64, false",
        "NETTY, 300000, true",
        "AERON, 64, true",
        "AERON, 40000, true",
        "AERON_IPC, 64, true",
        "AERON_IPC, 40000, true",
        "JUCX, 64, true",
        "JUCX, 300000, true"
    })
    void echoesWhatWasSent(Library library, int size, boolean spin) throws Exception {
        Outcome outcome = run(library, new Plan(Plan.Test.PING_PONG, size, COUNT, WARM_UP, 1, spin, true));
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.RoundTrips.class,
                        trips -> assertThat(trips.times().getTotalCount()).isEqualTo(COUNT));
        assertThat(outcome.json()).contains("\"rounds\": 30", "\"percentiles_ns\": {\"0\": ", "\"99.9\": ");
    }

    @ParameterizedTest
    @CsvSource({
        "NETTY, 64, 16", "NETTY, 300000, 1",
        "AERON, 64, 16", "AERON, 40000, 1",
        "AERON_IPC, 64, 16", "AERON_IPC, 40000, 1",
        "JUCX, 64, 16", "JUCX, 300000, 1"
    })
    void streamsWhatWasSent(Library library, int size, int batch) throws Exception {
        Outcome outcome = run(library, new Plan(Plan.Test.STREAM, size, COUNT, WARM_UP, batch, false, true));
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Stream.class, stream -> {
            assertThat(stream.messages()).isEqualTo(COUNT);
            assertThat(stream.nanos()).isPositive();
        });
    }

    @Test
    void noticesWrongOctets() {
        ByteBuffer octets = ByteBuffer.allocate(600);
        Pattern.fill(octets, 7);
        Pattern.check(octets, 7, 0);
        Pattern.check(octets.slice(100, 500), 7, 100);
        assertThatThrownBy(() -> Pattern.check(octets, 8, 0))
                .isInstanceOf(Peer.WrongOctetsException.class)
                .hasMessageContaining("byte 0 of message 8");
    }

    @Test
    void saysHowFastAStreamWas() {
        assertThat(new Outcome.Stream(1000, 64, 500_000_000).json())
                .isEqualTo("{\"messages_per_second\": 2000, \"octets_per_second\": 128000, \"seconds\": 0.500}");
    }

    private static Outcome run(Library library, Plan plan) throws Exception {
        // Aeron and JUCX want one thread for all calls of a side.
        CompletableFuture<Integer> port = new CompletableFuture<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Future<?> server = threads.submit(() -> {
                try {
                    return side(library, plan, peer -> {
                                port.complete(peer.listen());
                                peer.serve();
                                return true;
                            })
                            .call();
                } catch (Throwable e) {
                    // The client would wait for the port, and its lateness be told.
                    port.completeExceptionally(e);
                    throw e;
                }
            });
            Future<Outcome> client =
                    threads.submit(side(library, plan, peer -> peer.measure(port.get(20, TimeUnit.SECONDS))));
            try {
                Outcome outcome = client.get(25, TimeUnit.SECONDS);
                server.get(5, TimeUnit.SECONDS);
                return outcome;
            } catch (ExecutionException e) {
                if (e.getCause() instanceof TestAbortedException absent) {
                    throw absent; // A library that is not on this machine: skipped, not failed.
                }
                throw e;
            } finally {
                threads.shutdownNow();
            }
        }
    }

    private interface Side<T> {
        T run(Peer peer) throws Exception;
    }

    private static <T> Callable<T> side(Library library, Plan plan, Side<T> side) {
        return () -> {
            try (Peer peer = open(library, plan)) {
                return side.run(peer);
            }
        };
    }

    private static Peer open(Library library, Plan plan) {
        try {
            return library.open(plan);
        } catch (Library.MissingException e) {
            Assumptions.abort(e.getMessage());
            throw e;
        }
    }
}
