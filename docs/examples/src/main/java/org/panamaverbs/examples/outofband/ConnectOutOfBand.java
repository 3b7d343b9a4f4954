package org.panamaverbs.examples.outofband;

import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.memory.Access.LOCAL_WRITE;
import static org.panamaverbs.memory.Access.REMOTE_WRITE;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.outofband.OutOfBand;
import org.panamaverbs.api.cm.outofband.OutOfBandConfig;
import org.panamaverbs.api.cm.outofband.QueuePairEndpoint;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.examples.command.Arguments;
import org.panamaverbs.examples.command.Example;
import org.panamaverbs.examples.command.Option;
import org.panamaverbs.examples.command.TwoEnds;
import org.panamaverbs.examples.command.UsageException;

/** Both ends tell each other over a TCP socket where their queue pairs are, and write into each other's memory. */
public final class ConnectOutOfBand implements Example {
    private static final int BYTES = 64;
    private static final int LONGEST = 50;

    @Override
    public String name() {
        return "out-of-band";
    }

    @Override
    public String summary() {
        return "connecting over a socket, without connection manager (InfiniBand and RoCE only)";
    }

    @Override
    public List<Option> options() {
        return TwoEnds.options(new Option("message", "TEXT", "Hello by hand", "what both write, up to 50 bytes"));
    }

    @Override
    public void run(Arguments arguments, PrintWriter out) throws Exception {
        String message = arguments.text("message");
        if (message.getBytes(StandardCharsets.UTF_8).length > LONGEST) {
            throw new UsageException("--message has at most " + LONGEST + " bytes");
        }
        TwoEnds.run(arguments, out, ends -> serve(ends, message), ends -> call(ends, message));
    }

    private static void serve(TwoEnds ends, String message) throws IOException {
        // Asked first, so that nobody waits at a socket for a device that cannot do it.
        try (Verbs verbs = Verbs.open();
                ServerSocket listener = new ServerSocket()) {
            requireOutOfBand(verbs);
            listener.setSoTimeout(milliseconds(ends.deadline()));
            listener.bind(ends.listenAddress());
            ends.listening((InetSocketAddress) listener.getLocalSocketAddress());
            try (Socket socket = listener.accept()) {
                exchange(verbs, socket, "server: " + message, ends);
            }
        }
    }

    private static void call(TwoEnds ends, String message) throws Exception {
        InetSocketAddress server = ends.server();
        try (Verbs verbs = Verbs.open();
                Socket socket = new Socket()) {
            requireOutOfBand(verbs);
            socket.connect(server, milliseconds(ends.deadline()));
            exchange(verbs, socket, "client: " + message, ends);
        }
    }

    private static void requireOutOfBand(Verbs verbs) {
        if (!verbs.capabilities().has(Feature.OUT_OF_BAND)) {
            throw new UnsupportedOperationException("device " + verbs.device().name() + " of provider "
                    + verbs.provider()
                    + " has no queue pairs that are connected out of band: take ibverbs on InfiniBand or"
                    + " RoCE (VERBS_PROVIDER=ibverbs); for iWARP the connection manager connects");
        }
    }

    private static void exchange(Verbs verbs, Socket socket, String message, TwoEnds ends) throws IOException {
        socket.setSoTimeout(milliseconds(ends.deadline()));
        try (var domain = verbs.protectionDomain();
                var mine = domain.allocate(BYTES, LOCAL_WRITE);
                var theirs = domain.allocate(BYTES, LOCAL_WRITE, REMOTE_WRITE);
                var bell = domain.allocate(BYTES, LOCAL_WRITE);
                var queue = verbs.completionQueue(16);
                var queuePair =
                        domain.queuePair(QueuePairConfig.of(domain, queue).withAccess(REMOTE_WRITE))) {
            PostStatus.check(queuePair.recv(1, bell)); // before the peer can send
            OutOfBand outOfBand = OutOfBand.of(verbs, queuePair, OutOfBandConfig.defaults());
            QueuePairEndpoint peer =
                    outOfBand.connect(socket.getInputStream(), socket.getOutputStream(), theirs.remote());
            mine.segment().setString(0, message);
            PostStatus.check(queuePair.write(2, mine, 0, BYTES, peer.buffers().getFirst(), 0, SIGNALED));
            PostStatus.check(queuePair.send(3, mine, 0, 0, SIGNALED)); // arrives behind the Write
            awaitThree(queue, ends.deadline());
            ends.say("got \"%s\"", theirs.segment().getString(0));
            // Nobody tells the peer when this queue pair is closed: both say over the socket that they are done.
            socket.getOutputStream().write('D');
            if (socket.getInputStream().read() != 'D') {
                throw new IOException("the peer left before it was done");
            }
        }
    }

    /** Waits for the Write, the Send, and the bell of the peer. */
    private static void awaitThree(CompletionQueue queue, Deadline deadline) {
        var completions = WorkCompletions.ofCapacity(3);
        for (int done = 0; done < 3; ) {
            int count = queue.poll(completions, deadline);
            for (int i = 0; i < count; i++) {
                if (!completions.get(i).ok()) {
                    throw new IllegalStateException(completions.get(i).toString());
                }
            }
            done += count;
        }
    }

    private static int milliseconds(Deadline deadline) {
        return Math.clamp(TimeUnit.NANOSECONDS.toMillis(deadline.remainingNanos()), 1, Integer.MAX_VALUE);
    }
}
