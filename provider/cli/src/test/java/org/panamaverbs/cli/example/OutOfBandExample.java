package org.panamaverbs.cli.example;

import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.memory.Access.LOCAL_WRITE;
import static org.panamaverbs.memory.Access.REMOTE_WRITE;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import org.panamaverbs.api.*;
import org.panamaverbs.api.cm.outofband.OutOfBand;
import org.panamaverbs.api.cm.outofband.OutOfBandConfig;
import org.panamaverbs.api.cm.outofband.QueuePairEndpoint;
import org.panamaverbs.memory.RegisteredBuffer;

/**
 * Connects out of band over a TCP socket: {@code OutOfBandExample RC|UC|UD PORT [HOST]}, a server without a host. Both
 * sides write 4096 bytes into each other's memory (not UD) and send a message. provider/lab/out-of-band-peer.c is the
 * same in C.
 */
public class OutOfBandExample {
    static final int LENGTH = 4096;
    static final int MESSAGE = 64;
    static final int GRH = 40;

    public static void main(String[] args) throws IOException {
        QueuePairType type = QueuePairType.valueOf(args[0]);
        try (Socket socket =
                args.length < 3 ? accept(Integer.parseInt(args[1])) : new Socket(args[2], Integer.parseInt(args[1]))) {
            socket.setSoTimeout(60_000);
            run(type, socket, args.length < 3 ? 1 : 2);
        }
    }

    static Socket accept(int port) throws IOException {
        try (ServerSocket server = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return server.accept();
        }
    }

    static void run(QueuePairType type, Socket socket, int seed) throws IOException {
        Deadline deadline = Deadline.in(Duration.ofSeconds(60));
        try (var verbs = Verbs.open();
                var domain = verbs.protectionDomain();
                var mine = domain.allocate(LENGTH, LOCAL_WRITE);
                var theirs = domain.allocate(LENGTH, LOCAL_WRITE, REMOTE_WRITE);
                var inbox = domain.allocate(GRH + MESSAGE, LOCAL_WRITE);
                var queue = verbs.completionQueue(16);
                var qp = domain.queuePair(
                        QueuePairConfig.of(domain, queue).withType(type).withAccess(REMOTE_WRITE))) {
            fill(mine, seed);
            PostStatus.check(qp.recv(1, inbox, 0, GRH + MESSAGE)); // before the peer can send

            var outOfBand = OutOfBand.of(verbs, qp, OutOfBandConfig.defaults().withPathMtu(1024));
            QueuePairEndpoint peer =
                    outOfBand.connect(socket.getInputStream(), socket.getOutputStream(), theirs.remote());
            System.out.println("connected to " + peer);

            if (type == QueuePairType.UD) {
                try (var destination = outOfBand.destination(peer)) {
                    var message = SgList.ofCapacity(1).add(mine, 0, MESSAGE);
                    PostStatus.check(qp.postDatagram(SendOpcode.SEND, 2, message, destination, 0, SIGNALED));
                    await(queue, 2, deadline); // before the destination is closed
                }
            } else {
                PostStatus.check(qp.write(3, mine, 0, LENGTH, peer.buffers().get(0), 0, SIGNALED));
                PostStatus.check(qp.send(4, mine, 0, MESSAGE, SIGNALED)); // arrives behind the Write
                await(queue, 3, deadline);
            }
            int from = type == QueuePairType.UD ? GRH : 0;
            check(inbox, from, MESSAGE, 3 - seed);
            if (type != QueuePairType.UD) {
                check(theirs, 0, LENGTH, 3 - seed);
            }
            socket.getOutputStream().write('D'); // the peer may close now, too
            if (socket.getInputStream().read() != 'D') {
                throw new IllegalStateException("the peer is not done");
            }
            System.out.println("all bytes are right");
        }
    }

    static void await(CompletionQueue queue, int count, Deadline deadline) {
        var completions = WorkCompletions.ofCapacity(16);
        for (int done = 0; done < count; ) {
            int polled = queue.poll(completions, deadline);
            for (int i = 0; i < polled; i++) {
                if (!completions.get(i).ok()) {
                    throw new IllegalStateException(completions.get(i).toString());
                }
            }
            done += polled;
        }
    }

    static void fill(RegisteredBuffer buffer, int seed) {
        for (int i = 0; i < LENGTH; i++) {
            buffer.segment().set(ValueLayout.JAVA_BYTE, i, (byte) (i * 7 + seed));
        }
    }

    static void check(RegisteredBuffer buffer, int from, int length, int seed) {
        for (int i = 0; i < length; i++) {
            byte found = buffer.segment().get(ValueLayout.JAVA_BYTE, from + i);
            if (found != (byte) (i * 7 + seed)) {
                throw new IllegalStateException("byte " + i + " is " + found);
            }
        }
    }
}
