package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.cm.TerminateCause;
import org.panamaverbs.api.cm.TerminateCause.Origin;
import org.panamaverbs.api.cm.TerminateReason;
import org.panamaverbs.api.cm.TerminatedSegment;
import org.panamaverbs.iwarp.engine.transport.SocketErrors;
import org.panamaverbs.memory.STag;
import org.panamaverbs.testkit.Requirement;

/** Completions, the asynchronous event, the queue pair and the connection name the same cause. */
@Timeout(120)
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
class CausesTest {
    private static final int UNKNOWN = 0x0BAD_0000;

    private static AsyncEvent event(Peer peer, AsyncEvent.Type type) {
        while (true) {
            AsyncEvent event = peer.verbs.asyncEvent(Peer.soon()).orElseThrow();
            if (event.type() == type) {
                return event;
            }
        }
    }

    private static TerminateCause agreed(Peer peer, AsyncEvent.Type type) {
        TerminateCause cause = event(peer, type).terminateCause().orElseThrow();
        assertThat(peer.queuePair().terminateCause()).contains(cause);
        assertThat(peer.connection().terminateCause()).contains(cause);
        return cause;
    }

    @Test
    @Requirement("RDMAP-5.4-05")
    void bothSidesOfARefusedWriteNameIt() throws Exception {
        try (Peer client = new Peer();
                Peer server = new Peer()) {
            Peer.connect(client, server);
            client.queuePair().recv(1, client.buffer, 0, 64);
            server.queuePair().recv(2, server.buffer, 0, 64);
            client.queuePair()
                    .post(WorkRequest.of(SendOpcode.RDMA_WRITE)
                            .wrId(3)
                            .local(client.buffer.checkedAddress(0, 100), 100, client.buffer.lkey())
                            .remote(0x77, UNKNOWN));

            WorkCompletion flushed = client.next();
            // It is known as soon as the first flush is seen.
            TerminateCause told = client.queuePair().terminateCause().orElseThrow();
            assertThat(flushed.wrId()).isEqualTo(1);
            assertThat(flushed.status()).isEqualTo(WcStatus.WR_FLUSH_ERROR);
            assertThat(flushed.vendorError()).isEqualTo(0x1100);
            assertThat(flushed.toString()).contains("1/1/00 tagged buffer error: invalid STag");
            assertThat(server.next().vendorError()).isEqualTo(0x1100);

            TerminateCause found = agreed(server, AsyncEvent.Type.QP_ACCESS_ERROR);
            assertThat(agreed(client, AsyncEvent.Type.QP_FATAL)).isEqualTo(told);
            assertThat(told.origin()).isEqualTo(Origin.REMOTE);
            assertThat(found.origin()).isEqualTo(Origin.LOCAL);
            TerminatedSegment segment = new TerminatedSegment.Tagged(0, true, 114, STag.of(UNKNOWN), 0x77);
            assertThat(told.terminatedSegment()).contains(segment).isEqualTo(found.terminatedSegment());
            assertThat(told.reason()).isEqualTo(found.reason()).isEqualTo(TerminateReason.TAGGED_INVALID_STAG);
        }
    }

    @Test
    void aPeerThatResetsIsNamedAsSuch() throws Exception {
        try (Peer client = new Peer();
                Peer server = new Peer()) {
            Peer.connect(client, server);
            client.queuePair().recv(1, client.buffer, 0, 64);
            server.queuePair().close();

            assertThat(client.next().vendorError()).isEqualTo(0x2001);
            TerminateCause cause = agreed(client, AsyncEvent.Type.QP_FATAL);
            assertThat(cause.reason()).isEqualTo(TerminateReason.PEER_RESET);
            assertThat(cause.origin()).isEqualTo(Origin.LOCAL);
            assertThat(cause.detail()).isNotEmpty();
        }
    }

    @Test
    void anOverrunQueueIsNamedAsSuch() throws Exception {
        try (Peer client = new Peer(4);
                Peer server = new Peer()) {
            Peer.connect(client, server);
            for (int i = 0; i < 5; i++) {
                client.queuePair().write(i, client.buffer, 0, 1, Peer.remote(server), 0, SIGNALED);
            }

            TerminateCause cause = agreed(client, AsyncEvent.Type.QP_FATAL);
            assertThat(cause.reason()).isEqualTo(TerminateReason.COMPLETION_QUEUE_OVERRUN);
            assertThat(cause.code()).isEqualTo("0/0/00");
            TerminateCause told = agreed(server, AsyncEvent.Type.QP_FATAL);
            assertThat(told.reason()).isEqualTo(TerminateReason.RDMAP_LOCAL_CATASTROPHIC);
            assertThat(told.origin()).isEqualTo(Origin.REMOTE);
        }
    }

    @Test
    void anEndInOrderHasNoCause() throws Exception {
        try (Peer client = new Peer();
                Peer server = new Peer()) {
            Peer.connect(client, server);
            client.queuePair().recv(1, client.buffer, 0, 64);
            server.connection().disconnect(Peer.soon());

            WorkCompletion flushed = client.next();
            assertThat(flushed.status()).isEqualTo(WcStatus.WR_FLUSH_ERROR);
            assertThat(flushed.vendorError()).isZero();
            assertThat(client.queuePair().terminateCause()).isEmpty();
            assertThat(server.connection().terminateCause()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "Connection reset, PEER_RESET",
        "Connection reset by peer, PEER_RESET",
        "Broken pipe, PEER_RESET",
        "Connection timed out, PEER_SILENT",
        "No route to host, PEER_SILENT",
        "Something else, MPA_CONNECTION_LOST"
    })
    void whatTheSystemSaysOfASocketIsAReason(String message, TerminateReason reason) {
        assertThat(SocketErrors.lost(new IOException(message))).isEqualTo(reason);
    }
}
