package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.iwarp.core.memory.StagTable;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.wire.Framing;
import org.panamaverbs.testkit.Requirement;

/** Atomics on one cell over streams that different threads drive at the same time (RFC 7306 §5, §5.3). */
@Timeout(120)
class ResponderRaceTest {
    private static final int THREADS = 3;
    private static final int ROUNDS = 300;
    // As many as a peer may have outstanding; they are carried out in one go.
    private static final int BATCH = 64;
    private static final Negotiated AGREED =
            Negotiated.builder(false).crc(true).depths(BATCH).emss(Pair.EMSS).build();

    private final StagTable stags = new StagTable(64, Side.randomStags(3));
    private final List<RawPeer> peers = new ArrayList<>();

    /** Runs all of a thread's requests over its own stream and answers what the responses told. */
    interface Load {
        List<Long> run(RawPeer peer) throws Exception;
    }

    private List<List<Long>> race(Load load) throws Exception {
        CyclicBarrier start = new CyclicBarrier(THREADS);
        List<List<Long>> told = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<List<Long>>> running = new ArrayList<>();
            for (RawPeer peer : peers) {
                running.add(threads.submit(() -> {
                    start.await();
                    return load.run(peer);
                }));
            }
            for (Future<List<Long>> each : running) {
                told.add(each.get(100, TimeUnit.SECONDS));
            }
        }
        return told;
    }

    private Guarded cell() {
        for (int i = 0; i < THREADS; i++) {
            RawPeer peer = new RawPeer(0x30 + i, AGREED, stags);
            peer.inject(Segments.write(1, 0));
            peers.add(peer);
        }
        return peers.getFirst().side.memory(64);
    }

    // Injects a batch of requests and returns the originals that came back.
    private static List<Long> answered(RawPeer peer, List<byte[]> requests) {
        ByteArrayOutputStream octets = new ByteArrayOutputStream();
        requests.forEach(request -> octets.writeBytes(Framing.fpdu(request)));
        peer.answers.clear();
        peer.injectOctets(octets.toByteArray());
        assertThat(peer.side.stream.fault()).isNull();
        return peer.answers.stream()
                .map(answer -> (long) answer.at(18 + 4) << 32 | Integer.toUnsignedLong(answer.at(18 + 8)))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1L << 63})
    @Requirement({"EXT-5-01", "EXT-5.3-01", "EXT-5.4-2-01", "DRAFT01-5.4-2-01"})
    void noFetchAddIsLost(long fieldMask) throws Exception {
        Guarded cell = cell();
        List<List<Long>> told = race(peer -> {
            List<Long> seen = new ArrayList<>();
            int msn = 1;
            for (int round = 0; round < ROUNDS; round++) {
                List<byte[]> batch = new ArrayList<>();
                for (int i = 0; i < BATCH; i++, msn++) {
                    byte[] header = Segments.atomicHeader(0, msn, cell.stag(), cell.base, 1, fieldMask, 0, -1);
                    batch.add(Segments.untagged(Segments.ATOMIC_REQUEST, 0, 1, msn, 0, true, header));
                }
                seen.addAll(answered(peer, batch));
            }
            return seen;
        });
        Set<Long> originals = new HashSet<>();
        told.forEach(originals::addAll);
        assertThat(cell.getLong(0)).isEqualTo((long) THREADS * ROUNDS * BATCH);
        assertThat(originals).as("values before").hasSize(THREADS * ROUNDS * BATCH);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 0xFFFF_FFFFL})
    @Requirement({"EXT-5-01", "EXT-5.3-01", "EXT-5.4-2-01", "DRAFT01-5.4-2-01"})
    void oneOfTheSameCmpSwapsSucceeds(long mask) throws Exception {
        Guarded cell = cell();
        List<List<Long>> told = race(peer -> {
            List<Long> swapped = new ArrayList<>();
            int msn = 1;
            long base = 0;
            for (int round = 0; round < ROUNDS; round++) {
                List<byte[]> batch = new ArrayList<>();
                for (int i = 0; i < BATCH; i++, msn++) {
                    byte[] header =
                            Segments.atomicHeader(2, msn, cell.stag(), cell.base, base + i + 1, mask, base + i, mask);
                    batch.add(Segments.untagged(Segments.ATOMIC_REQUEST, 0, 1, msn, 0, true, header));
                }
                List<Long> originals = answered(peer, batch);
                for (int i = 0; i < BATCH; i++) {
                    if (originals.get(i) == base + i) {
                        swapped.add(base + i);
                    }
                }
                boolean lastSwapped = originals.getLast() == base + BATCH - 1;
                base = lastSwapped ? base + BATCH : originals.getLast();
            }
            return swapped;
        });
        List<Long> swaps = told.stream().flatMap(List::stream).sorted().toList();
        assertThat(swaps).as("each value is replaced once").doesNotHaveDuplicates();
        assertThat(cell.getLong(0)).isEqualTo(swaps.size());
    }
}
