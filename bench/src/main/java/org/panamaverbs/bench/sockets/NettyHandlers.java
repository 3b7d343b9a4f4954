package org.panamaverbs.bench.sockets;

import static java.util.Objects.requireNonNull;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.EOFException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.bench.loopback.exchange.End;
import org.panamaverbs.bench.loopback.exchange.RoundTrips;

/** What the two sides of {@link NettyEnd} do with what comes; all on the event loop. */
final class NettyHandlers {
    /** Bytes of a stream of which each is acknowledged as a whole. */
    private static final int ACKNOWLEDGED_BYTES = 1 << 20;

    private NettyHandlers() {}

    /** Takes no notice of how a write ends: one that fails ends the connection, of which the client hears. */
    private static void sent(ChannelFuture future) {
        assert future.channel() != null;
    }

    /** The server: gives back what comes, or says of a stream how much of it has come. */
    @ChannelHandler.Sharable
    static final class Answers extends ChannelInboundHandlerAdapter {
        private final boolean stream;
        private int unacknowledged;

        Answers(boolean stream) {
            this.stream = stream;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (!stream) {
                sent(context.writeAndFlush(message, context.voidPromise()));
                return;
            }
            ByteBuf octets = (ByteBuf) message;
            unacknowledged += octets.readableBytes();
            octets.release();
            while (unacknowledged >= ACKNOWLEDGED_BYTES) {
                unacknowledged -= ACKNOWLEDGED_BYTES;
                sent(context.writeAndFlush(context.alloc().buffer(1).writeByte(1), context.voidPromise()));
            }
        }
    }

    /** A client, which sends the same bytes again and again. */
    abstract static class Client extends ChannelInboundHandlerAdapter {
        private final int bytes;
        private @Nullable ByteBuf steady;
        private @Nullable ChannelHandlerContext context;
        private @Nullable CompletableFuture<End.Figure> figure;

        Client(int bytes) {
            this.bytes = bytes;
        }

        /** Measures for {@code nanos}, and completes {@code result}. */
        final void begin(long nanos, CompletableFuture<End.Figure> result) {
            figure = result;
            begin(context(), nanos);
        }

        final ChannelHandlerContext context() {
            return requireNonNull(context, "connected");
        }

        abstract void begin(ChannelHandlerContext connected, long nanos);

        final ByteBuf message() {
            return requireNonNull(steady, "connected").retainedDuplicate();
        }

        final void end(End.Figure measured) {
            requireNonNull(figure, "begun").complete(measured);
        }

        @Override
        public void handlerAdded(ChannelHandlerContext connecting) {
            context = connecting;
            steady = connecting.alloc().directBuffer(bytes).writeZero(bytes);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext connected, Throwable cause) {
            if (figure != null) {
                figure.completeExceptionally(cause);
            }
            sent(connected.close());
        }

        @Override
        public void channelInactive(ChannelHandlerContext connected) {
            if (figure != null) {
                figure.completeExceptionally(new EOFException("the other side closed the connection before the end"));
            }
        }
    }

    /** Asks for echoes. */
    static final class Asker extends Client {
        private final RoundTrips trips = new RoundTrips();
        private int have;

        Asker() {
            super(End.MESSAGE_BYTES);
        }

        @Override
        void begin(ChannelHandlerContext connected, long nanos) {
            trips.begin(nanos);
            ask(connected);
        }

        private void ask(ChannelHandlerContext connected) {
            sent(connected.writeAndFlush(message(), connected.voidPromise()));
        }

        @Override
        public void channelRead(ChannelHandlerContext connected, Object message) {
            ByteBuf octets = (ByteBuf) message;
            have += octets.readableBytes();
            octets.release();
            if (have < End.MESSAGE_BYTES) {
                return;
            }
            have = 0;
            if (trips.answered()) {
                ask(connected);
            } else {
                end(trips.figure());
            }
        }
    }

    /** Sends a stream, as fast as the channel takes it; the rate is that of the acknowledgements, from the first on. */
    static final class Source extends Client {
        private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

        // Between two looks at what has come.
        private static final int MOST_AT_ONCE = 16;

        private final int bytes;
        private final Runnable again = this::fillAgain;
        private boolean comesAgain;
        private long end;
        private boolean stopped;
        private long sentBytes;
        private long acknowledgedBytes;
        private long firstBytes;
        private long firstNanos;
        private long firstGarbage;

        Source(int bytes) {
            super(bytes);
            this.bytes = bytes;
            stopped = true;
        }

        @Override
        void begin(ChannelHandlerContext connected, long nanos) {
            end = System.nanoTime() + nanos;
            stopped = false;
            firstNanos = 0;
            fill(connected);
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext connected) {
            fill(connected);
        }

        private void fillAgain() {
            comesAgain = false;
            fill(context());
        }

        private boolean hasMore(ChannelHandlerContext connected) {
            return connected.channel().isWritable() && !(stopped && sentBytes % ACKNOWLEDGED_BYTES == 0);
        }

        private void fill(ChannelHandlerContext connected) {
            for (int i = 0; i < MOST_AT_ONCE && hasMore(connected); i++) {
                sentBytes += bytes;
                sent(connected.writeAndFlush(message(), connected.voidPromise()));
            }
            if (hasMore(connected) && !comesAgain) {
                comesAgain = true;
                connected.executor().execute(again);
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext connected, Object message) {
            ByteBuf octets = (ByteBuf) message;
            acknowledgedBytes += (long) octets.readableBytes() * ACKNOWLEDGED_BYTES;
            octets.release();
            long now = System.nanoTime();
            if (firstNanos == 0) {
                firstNanos = now;
                firstBytes = acknowledgedBytes;
                firstGarbage = THREADS.getCurrentThreadAllocatedBytes();
            }
            // Where the first one comes at the end there is no rate yet: a second one is waited for.
            if (!stopped && now - end >= 0 && acknowledgedBytes > firstBytes) {
                stopped = true;
                fill(connected);
            }
            if (stopped && acknowledgedBytes == sentBytes) {
                double came = acknowledgedBytes - firstBytes;
                double garbage = THREADS.getCurrentThreadAllocatedBytes() - firstGarbage;
                end(new End.Figure(
                        came * TimeUnit.SECONDS.toNanos(1) / (now - firstNanos),
                        Double.NaN,
                        Double.NaN,
                        garbage * bytes / came));
            }
        }
    }
}
