package org.panamaverbs.bench.peers;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.openucx.jucx.UcxUtils;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;
import org.openucx.jucx.ucp.UcpParams;
import org.openucx.jucx.ucp.UcpRequest;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucp.UcpWorkerParams;

/**
 * UCX from Java by its own binding: tagged messages, progress by the thread that waits for them. The workers' addresses
 * are exchanged over a TCP connection of their own.
 */
final class JucxPeer implements Peer {
    private static final long TO_SERVER = 1;
    private static final long TO_CLIENT = 2;
    private static final long WHOLE_TAG = -1;
    // Messages of a stream under way at once: no more bytes than this, and no more messages than UCX keeps room for.
    private static final int WINDOW_BYTES = 16 << 20;
    private static final int MOST_UNDER_WAY = 256;

    private final Plan plan;
    private final int slots;
    private final ByteBuffer memory;
    private final long address;
    private final UcpContext context;
    private final UcpWorker worker;
    private @Nullable UcpEndpoint endpoint;
    private @Nullable ServerSocket listener;

    JucxPeer(Plan plan) {
        this.plan = plan;
        slots = plan.test() == Plan.Test.PING_PONG ? 2 : Math.clamp(WINDOW_BYTES / plan.size(), 2, MOST_UNDER_WAY);
        memory = ByteBuffer.allocateDirect(slots * plan.size());
        address = UcxUtils.getAddress(memory);
        context = new UcpContext(new UcpParams().requestTagFeature());
        worker = context.newWorker(new UcpWorkerParams());
    }

    @Override
    public int listen() throws IOException {
        ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        listener = socket;
        return socket.getLocalPort();
    }

    @Override
    public void serve() throws Exception {
        if (listener == null) {
            throw new IllegalStateException("listen comes first");
        }
        try (Socket socket = listener.accept()) {
            UcpEndpoint to = connect(socket);
            if (plan.test() == Plan.Test.PING_PONG) {
                echo(to);
            } else {
                sink(to);
            }
            end(socket);
        }
    }

    @Override
    public Outcome measure(int port) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            UcpEndpoint to = connect(socket);
            Outcome outcome = plan.test() == Plan.Test.PING_PONG ? pingPong(to) : stream(to);
            end(socket);
            return outcome;
        }
    }

    private UcpEndpoint connect(Socket socket) throws IOException {
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        ByteBuffer own = worker.getAddress();
        byte[] octets = new byte[own.remaining()];
        own.get(octets);
        out.writeInt(octets.length);
        out.write(octets);
        out.flush();
        DataInputStream in = new DataInputStream(socket.getInputStream());
        byte[] other = in.readNBytes(in.readInt());
        ByteBuffer direct = ByteBuffer.allocateDirect(other.length).put(other).flip();
        UcpEndpoint made = worker.newEndpoint(new UcpEndpointParams().setUcpAddress(direct));
        endpoint = made;
        return made;
    }

    /** Keeps moving until the other side has everything, too. */
    private void end(Socket socket) throws Exception {
        await(worker.flushNonBlocking(null));
        socket.getOutputStream().write(0);
        while (socket.getInputStream().available() == 0) {
            plan.pause();
            worker.progress();
        }
    }

    private void await(UcpRequest request) throws Exception {
        while (!request.isCompleted()) {
            plan.pause();
            worker.progress();
        }
        if (request.getStatus() != 0) {
            throw new IOException("UCX says status " + request.getStatus());
        }
    }

    private long slot(long number) {
        return address + slotOffset(number);
    }

    private int slotOffset(long number) {
        return (int) (number % slots) * plan.size();
    }

    private ByteBuffer octets(long number) {
        return memory.slice(slotOffset(number), plan.size());
    }

    private UcpRequest receive(long number, long tag) {
        return worker.recvTaggedNonBlocking(slot(number), plan.size(), tag, WHOLE_TAG, null);
    }

    private void echo(UcpEndpoint to) throws Exception {
        for (long number = 0; number < plan.messages(); number++) {
            await(receive(0, TO_SERVER));
            await(to.sendTaggedNonBlocking(slot(0), plan.size(), TO_CLIENT, null));
        }
    }

    private Outcome pingPong(UcpEndpoint to) throws Exception {
        Histogram times = Outcome.RoundTrips.histogram();
        for (long number = 0; number < plan.messages(); number++) {
            if (plan.verify()) {
                Pattern.fill(octets(0), number);
            }
            long asked = System.nanoTime();
            UcpRequest answer = receive(1, TO_CLIENT);
            await(to.sendTaggedNonBlocking(slot(0), plan.size(), TO_SERVER, null));
            await(answer);
            if (number >= plan.warmUp()) {
                times.recordValue(System.nanoTime() - asked);
            }
            if (plan.verify()) {
                Pattern.check(octets(1), number, 0);
            }
        }
        return new Outcome.RoundTrips(times);
    }

    private void sink(UcpEndpoint to) throws Exception {
        UcpRequest[] posted = new UcpRequest[slots];
        for (int i = 0; i < slots; i++) {
            posted[i] = receive(i, TO_SERVER);
        }
        for (long number = 0; number < plan.messages(); number++) {
            int slot = (int) (number % slots);
            await(posted[slot]);
            if (plan.verify()) {
                Pattern.check(octets(number), number, 0);
            }
            if (number + slots < plan.messages()) {
                posted[slot] = receive(number, TO_SERVER);
            }
            if (plan.isAcknowledged(number + 1)) {
                await(to.sendTaggedNonBlocking(address, 0, TO_CLIENT, null));
            }
        }
    }

    private Outcome stream(UcpEndpoint to) throws Exception {
        send(to, 0, plan.warmUp());
        long begun = System.nanoTime();
        send(to, plan.warmUp(), plan.messages());
        return new Outcome.Stream(plan.count(), plan.size(), System.nanoTime() - begun);
    }

    private void send(UcpEndpoint to, long first, long until) throws Exception {
        UcpRequest acknowledgement = worker.recvTaggedNonBlocking(address, 0, TO_CLIENT, WHOLE_TAG, null);
        @Nullable UcpRequest[] underWay = new @Nullable UcpRequest[slots];
        for (long number = first; number < until; number++) {
            int slot = (int) (number % slots);
            UcpRequest before = underWay[slot];
            if (before != null) {
                await(before);
            }
            if (plan.verify()) {
                Pattern.fill(octets(number), number);
            }
            underWay[slot] = to.sendTaggedNonBlocking(slot(number), plan.size(), TO_SERVER, null);
        }
        for (UcpRequest request : underWay) {
            if (request != null) {
                await(request);
            }
        }
        await(acknowledgement);
    }

    @Override
    public void close() throws IOException {
        if (endpoint != null) {
            endpoint.close();
        }
        worker.close();
        context.close();
        if (listener != null) {
            listener.close();
        }
    }
}
