package org.panamaverbs.bench.peers;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SelectStrategy;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Netty over TCP by epoll, one event loop a side; with {@code spin} the loop asks without waiting. */
final class NettyPeer implements Peer {
    private static final int RECEIVE_BYTES = 256 << 10;
    private static final int LEAST_BUFFERED = 64 << 10;
    private static final int BUFFERED_MESSAGES = 4;

    private final Plan plan;
    private final MultiThreadIoEventLoopGroup loop;
    private final CompletableFuture<Void> served = new CompletableFuture<>();
    private @Nullable Channel channel;

    NettyPeer(Plan plan) {
        this.plan = plan;
        loop = new MultiThreadIoEventLoopGroup(
                1,
                EpollIoHandler.newFactory(
                        0,
                        () -> (tasks, hasTasks) -> hasTasks
                                ? tasks.get()
                                : plan.spin() ? SelectStrategy.BUSY_WAIT : SelectStrategy.SELECT));
    }

    @Override
    public int listen() throws Exception {
        ChannelHandler handler = plan.test() == Plan.Test.PING_PONG
                ? new NettyHandlers.Echo(served)
                : new NettyHandlers.Sink(plan, served);
        Channel listener = new ServerBootstrap()
                .group(loop)
                .channel(EpollServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(receiveBytes()))
                .childHandler(handler)
                .bind(InetAddress.getLoopbackAddress(), 0)
                .sync()
                .channel();
        channel = listener;
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    @Override
    public void serve() throws Exception {
        served.get();
    }

    @Override
    public Outcome measure(int port) throws Exception {
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        int buffered = Math.max(LEAST_BUFFERED, BUFFERED_MESSAGES * plan.size());
        channel = new Bootstrap()
                .group(loop)
                .channel(EpollSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(receiveBytes()))
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(buffered / 2, buffered))
                .handler(
                        plan.test() == Plan.Test.PING_PONG
                                ? new NettyHandlers.Asker(plan, outcome)
                                : new NettyHandlers.Source(plan, outcome))
                .connect(InetAddress.getLoopbackAddress(), port)
                .sync()
                .channel();
        return outcome.get();
    }

    private int receiveBytes() {
        return plan.test() == Plan.Test.PING_PONG ? Math.min(plan.size(), RECEIVE_BYTES) : RECEIVE_BYTES;
    }

    @Override
    public void close() {
        if (channel != null) {
            channel.close().syncUninterruptibly();
        }
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
