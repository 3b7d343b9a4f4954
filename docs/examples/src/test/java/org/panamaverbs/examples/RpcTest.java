package org.panamaverbs.examples;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.channel.Channel;
import org.panamaverbs.channel.ChannelConfig;
import org.panamaverbs.channel.ChannelGroup;
import org.panamaverbs.channel.Requester;
import org.panamaverbs.channel.ResponseHandler;

@Timeout(180)
class RpcTest {
    private final Deadline deadline = Deadline.in(60, TimeUnit.SECONDS);
    private final PipedWriter pipe = new PipedWriter();

    /** All receives are taken by calls at once here: the queue has exactly one for each client. */
    @Test
    void aThousandClientsShareTheReceives() {
        ExampleRun run = ExampleRun.of("rpc", "--calls", "3", "--timeout", "120");

        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("server: 3,000 calls of 1,000 clients, 1,000 at once, on one thread")
                .contains("clients: 3,000 calls in ");
    }

    @Test
    void theServerGoesOnWhenAClientIsGoneWithoutAWord() throws Exception {
        try (var said = new BufferedReader(new PipedReader(pipe))) {
            var serving = CompletableFuture.supplyAsync(() -> Examples.run(
                    List.of("rpc", "--role", "server", "--clients", "2"),
                    new PrintWriter(pipe, true),
                    new PrintWriter(pipe, true)));
            String listening = said.readLine();
            int port = Integer.parseInt(listening.substring(listening.lastIndexOf(' ') + 1));
            var server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            ChannelConfig config =
                    ChannelConfig.defaults().withRingBytes(1 << 12).withReceives(64, 64);
            try (var verbs = Verbs.open();
                    var group = ChannelGroup.open(verbs, config)) {
                // As the system does for a process that is killed: the channel is not ended.
                call(group, group.connect(server, deadline), 3).close();
                call(group, group.connect(server, deadline), 4).disconnect(deadline);
            }
            assertThat(said.readLine()).contains("the connection was lost");
            assertThat(said.readLine()).startsWith("server: 2 calls of 2 clients");
            assertThat(serving.join()).isZero();
        }
    }

    private Channel call(ChannelGroup group, Channel channel, long number) {
        long[] squares = {0};
        Requester requester = Requester.of(group, 1, new ResponseHandler() {
            @Override
            public void onResponse(Channel from, long id, MemorySegment memory, long offset, int length) {
                squares[0] = memory.get(JAVA_LONG, offset);
            }

            @Override
            public void onNoResponse(Channel from, long id) {
                throw new AssertionError("no response");
            }
        });
        assertThat(requester.offer(channel, MemorySegment.ofArray(new long[] {number}), 0, 8, deadline))
                .isPositive();
        while (requester.outstanding() > 0) {
            if (requester.poll(1) == 0) {
                requester.await(deadline);
            }
        }
        assertThat(squares[0]).isEqualTo(number * number);
        return channel;
    }
}
