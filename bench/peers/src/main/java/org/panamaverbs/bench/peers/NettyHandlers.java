package org.panamaverbs.bench.peers;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.EOFException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** What the two sides of {@link NettyPeer} do with what arrives; all on the event loop. */
final class NettyHandlers {
    private NettyHandlers() {}

    /** Takes no notice of how a write ends: one that fails ends the connection, which {@link Ending} sees. */
    private static void sent(ChannelFuture future) {
        assert future.channel() != null;
    }

    /** Completes {@code end} when the connection is over or has failed. */
    abstract static class Ending<T> extends ChannelInboundHandlerAdapter {
        final CompletableFuture<T> end;

        Ending(CompletableFuture<T> end) {
            this.end = end;
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            end.completeExceptionally(cause);
            sent(context.close());
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            end.completeExceptionally(new EOFException("the other side closed the connection before the end"));
        }
    }

    /** The server of a ping-pong. */
    static final class Echo extends Ending<Void> {
        Echo(CompletableFuture<Void> served) {
            super(served);
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            sent(context.writeAndFlush(message, context.voidPromise()));
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            end.complete(null);
        }
    }

    /** The server of a stream: counts, and acknowledges. */
    static final class Sink extends Ending<Void> {
        private final Plan plan;
        private long messages;
        private int have;

        Sink(Plan plan, CompletableFuture<Void> served) {
            super(served);
            this.plan = plan;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf octets = (ByteBuf) message;
            try {
                while (octets.isReadable()) {
                    take(context, octets);
                }
            } finally {
                octets.release();
            }
        }

        private void take(ChannelHandlerContext context, ByteBuf octets) {
            int length = Math.min(plan.size() - have, octets.readableBytes());
            if (plan.verify()) {
                Pattern.check(octets.nioBuffer(octets.readerIndex(), length), messages, have);
            }
            octets.skipBytes(length);
            have += length;
            if (have == plan.size()) {
                have = 0;
                messages++;
                if (plan.isAcknowledged(messages)) {
                    sent(context.writeAndFlush(
                            context.alloc().buffer(Long.BYTES).writeLong(messages)));
                }
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            end.complete(null);
        }
    }

    /** What a client sends: the same bytes again and again, or the pattern of each message. */
    abstract static class Sender extends Ending<Outcome> {
        final Plan plan;
        private @Nullable ByteBuf steady;

        Sender(Plan plan, CompletableFuture<Outcome> outcome) {
            super(outcome);
            this.plan = plan;
        }

        final ByteBuf message(ChannelHandlerContext context, long number) {
            if (plan.verify()) {
                ByteBuf buffer = context.alloc().directBuffer(plan.size());
                Pattern.fill(buffer.nioBuffer(0, plan.size()), number);
                return buffer.writerIndex(plan.size());
            }
            if (steady == null) {
                steady = context.alloc().directBuffer(plan.size()).writeZero(plan.size());
            }
            return steady.retainedDuplicate();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (steady != null) {
                steady.release();
                steady = null;
            }
            super.channelInactive(context);
        }
    }

    /** The client of a ping-pong. */
    static final class Asker extends Sender {
        private final Histogram times = Outcome.RoundTrips.histogram();
        private long number;
        private int have;
        private long askedAt;

        Asker(Plan plan, CompletableFuture<Outcome> outcome) {
            super(plan, outcome);
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            ask(context);
        }

        private void ask(ChannelHandlerContext context) {
            askedAt = System.nanoTime();
            sent(context.writeAndFlush(message(context, number), context.voidPromise()));
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf octets = (ByteBuf) message;
            try {
                if (plan.verify()) {
                    ByteBuffer arrived = octets.nioBuffer();
                    Pattern.check(arrived, number, have);
                }
                have += octets.readableBytes();
            } finally {
                octets.release();
            }
            if (have == plan.size()) {
                answered(context);
            }
        }

        private void answered(ChannelHandlerContext context) {
            have = 0;
            if (number >= plan.warmUp()) {
                times.recordValue(System.nanoTime() - askedAt);
            }
            if (++number < plan.messages()) {
                ask(context);
            } else {
                end.complete(new Outcome.RoundTrips(times));
            }
        }
    }

    /** The client of a stream: writes while the channel takes it, in batches. */
    static final class Source extends Sender {
        private long sent;
        private long until;
        private long from;
        private int acknowledged;

        Source(Plan plan, CompletableFuture<Outcome> outcome) {
            super(plan, outcome);
            until = plan.warmUp();
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            fill(context);
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            fill(context);
        }

        private void fill(ChannelHandlerContext context) {
            while (sent < until && context.channel().isWritable()) {
                for (int i = 0; i < plan.batch() && sent < until; i++) {
                    sent(context.write(message(context, sent++), context.voidPromise()));
                }
                context.flush();
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf octets = (ByteBuf) message;
            acknowledged += octets.readableBytes();
            octets.release();
            if (acknowledged < Long.BYTES) {
                return;
            }
            acknowledged = 0;
            if (until < plan.messages()) {
                until = plan.messages();
                from = System.nanoTime();
                fill(context);
            } else {
                end.complete(new Outcome.Stream(plan.count(), plan.size(), System.nanoTime() - from));
            }
        }
    }
}
