package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.lang.foreign.Arena;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.cm.TerminateCause;
import org.panamaverbs.api.cm.TerminateReason;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;

/** An application that closes its arena before the registration: the memory counts as deregistered from then on. */
@Timeout(60)
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
class ClosedArenaTest {
    private static final int BYTES = 256 * 1024;

    /** Closes {@code arena}, in between two calls that hold it. */
    private static void close(Arena arena) {
        while (arena.scope().isAlive()) {
            try {
                arena.close();
            } catch (IllegalStateException e) {
                assertThat(e).hasMessageContaining("acquired");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sockets=libc shm=off",
                "sockets=nio",
                "sockets=libc tls",
                "shm=require shm.direct=on",
                "shm=require shm.direct=off"
            })
    void endsTheConnectionOfThePeerThatKeepsWriting(String options) throws Exception {
        for (int round = 0; round < 10; round++) {
            try (Peer client = new Peer(Secured.options(options));
                    Peer server = new Peer(Secured.options(options))) {
                Arena arena = Arena.ofShared();
                try (RegisteredBuffer target = server.domain.register(arena.allocate(BYTES), Peer.ALL)) {
                    RemoteBuffer remote = target.remote();
                    Secured.connect(client, server, options);
                    Background<Boolean> closing = Background.start(() -> {
                        close(arena);
                        return true;
                    });
                    WorkCompletion last;
                    do {
                        PostStatus.check(client.queuePair().write(1, client.buffer, 0, BYTES, remote, 0, SIGNALED));
                        last = client.next();
                    } while (last.ok());
                    assertThat(closing.get()).isTrue();
                    assertThat(last.status()).isIn(WcStatus.REMOTE_ACCESS_ERROR, WcStatus.WR_FLUSH_ERROR);
                    assertThat(server.connection().awaitDisconnect(Peer.soon())).isTrue();
                    assertThat(server.queuePair().terminateCause())
                            .map(TerminateCause::reason)
                            .contains(TerminateReason.TAGGED_INVALID_STAG);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sockets=libc shm=off",
                "sockets=nio",
                "sockets=libc tls",
                "shm=require shm.direct=on",
                "shm=require shm.direct=off"
            })
    void failsWhatWasPostedFromIt(String options) throws Exception {
        try (Peer client = new Peer(Secured.options(options));
                Peer server = new Peer(Secured.options(options))) {
            Arena arena = Arena.ofShared();
            try (RegisteredBuffer source = client.domain.register(arena.allocate(BYTES), Peer.ALL)) {
                long address = source.checkedAddress(0, BYTES);
                Secured.connect(client, server, options);
                server.queuePair().recv(1, server.buffer);
                close(arena);
                PostStatus.check(client.queuePair()
                        .post(WorkRequest.of(SendOpcode.SEND)
                                .wrId(2)
                                .local(address, BYTES, source.lkey())
                                .flags(SIGNALED)));
                assertThat(client.next().status()).isEqualTo(WcStatus.LOCAL_PROTECTION_ERROR);
            }
        }
    }
}
