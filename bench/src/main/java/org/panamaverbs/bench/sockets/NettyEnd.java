package org.panamaverbs.bench.sockets;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SelectStrategy;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.bench.loopback.exchange.End;

/** Netty over its NIO transport, one event loop a side, which asks its selector without waiting while it polls. */
final class NettyEnd implements End {
    private static final int LOOKS_A_YIELD = 64;
    private static final int BUFFER_BYTES = 64 << 10;
    private static final WriteBufferWaterMark MARKS = new WriteBufferWaterMark(2 * BUFFER_BYTES, 4 * BUFFER_BYTES);

    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(
            1,
            NioIoHandler.newFactory(
                    SelectorProvider.provider(),
                    () -> (tasks, hasTasks) -> hasTasks || isPolling() ? tasks.get() : SelectStrategy.SELECT));
    private final NettyHandlers.Client client;
    private final Channel channel;
    private volatile boolean polling;

    // Of the event loop.
    private int looks;

    /**
     * Connects to {@code port}, to ask for echoes, or to send a {@code stream}; listens if that is 0, to echo what
     * comes or to count it.
     */
    NettyEnd(boolean stream, int port) throws Exception {
        client = stream && port != 0 ? new NettyHandlers.Source(BUFFER_BYTES) : new NettyHandlers.Asker();
        channel = port == 0 ? listen(stream) : connect(port);
    }

    private Channel listen(boolean stream) throws InterruptedException {
        Channel listener = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(BUFFER_BYTES))
                .childHandler(new NettyHandlers.Answers(stream))
                .bind(InetAddress.getLoopbackAddress(), 0)
                .sync()
                .channel();
        End.listening(((InetSocketAddress) listener.localAddress()).getPort());
        return listener;
    }

    private Channel connect(int port) throws InterruptedException {
        return new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(BUFFER_BYTES))
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, MARKS)
                .handler(client)
                .connect(InetAddress.getLoopbackAddress(), port)
                .sync()
                .channel();
    }

    private boolean isPolling() {
        // The processor is the compiler's, too.
        if (polling && ++looks % LOOKS_A_YIELD == 0) {
            Thread.yield();
        }
        return polling;
    }

    private void poll(boolean polls) throws Exception {
        polling = polls;
        // Which ends the wait of its selector.
        loop.submit(() -> {}).get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void serve(boolean polls) throws Exception {
        poll(polls);
    }

    @Override
    public void rest() throws Exception {
        poll(false);
    }

    @Override
    public Figure measure(boolean polls, long nanos) throws Exception {
        poll(polls);
        CompletableFuture<Figure> figure = new CompletableFuture<>();
        loop.execute(() -> client.begin(nanos, figure));
        Figure measured = figure.get(TimeUnit.NANOSECONDS.toSeconds(nanos) + LIMIT_SECONDS, TimeUnit.SECONDS);
        poll(false);
        return measured;
    }

    @Override
    public void close() {
        channel.close().syncUninterruptibly();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
