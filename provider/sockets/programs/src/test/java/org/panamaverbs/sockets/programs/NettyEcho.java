package org.panamaverbs.sockets.programs;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * A server that gives back what it gets, and a client that checks it, on Netty's NIO transport; over TLS where there is
 * a key store, whose certificate both sides trust.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails is heard of by the handlers
final class NettyEcho {
    /** Of all key stores here. */
    static final String PASSWORD = "changeit";

    private static final int CHUNK = 20_000;

    private NettyEcho() {}

    /** Runs {@code server [KEYSTORE]}, or {@code client PORT CONNECTIONS BYTES [KEYSTORE]}. */
    public static void main(String[] arguments) throws Exception {
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
        try {
            if (arguments[0].equals("server")) {
                serve(group, arguments.length > 1 ? tls(Path.of(arguments[1]), true) : null);
            } else {
                SslContext tls = arguments.length > 4 ? tls(Path.of(arguments[4]), false) : null;
                int connections = Integer.parseInt(arguments[2]);
                int bytes = Integer.parseInt(arguments[3]);
                InetSocketAddress server =
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[1]));
                connect(group, server, connections, bytes, tls);
                System.out.println("checked " + (long) connections * bytes);
            }
        } finally {
            group.shutdownGracefully().sync();
        }
        System.out.println("ended");
    }

    private static SslContext tls(Path store, boolean server) throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream stream = Files.newInputStream(store)) {
            keys.load(stream, PASSWORD.toCharArray());
        }
        if (server) {
            KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            own.init(keys, PASSWORD.toCharArray());
            return SslContextBuilder.forServer(own).sslProvider(SslProvider.JDK).build();
        }
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(keys);
        return SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .trustManager(trusted)
                .endpointIdentificationAlgorithm(null)
                .build();
    }

    private static void serve(EventLoopGroup group, @Nullable SslContext tls) throws Exception {
        Channel listener = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, tls == null)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        if (tls != null) {
                            channel.pipeline().addLast(tls.newHandler(channel.alloc()));
                        }
                        channel.pipeline().addLast(new Echo());
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .sync()
                .channel();
        System.out.println("port " + ((InetSocketAddress) listener.localAddress()).getPort());
        while (System.in.read() >= 0) {
            // Until who started it closes the input.
        }
        listener.close().sync();
    }

    /** Gives back what comes, and reads no more while the peer does not. */
    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.write(message);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            context.channel().config().setAutoRead(context.channel().isWritable());
            context.fireChannelWritabilityChanged();
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof ChannelInputShutdownEvent) {
                context.writeAndFlush(context.alloc().buffer(0)).addListener(ChannelFutureListener.CLOSE);
            }
            context.fireUserEventTriggered(event);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            System.out.println("failed: " + cause);
            context.close();
        }
    }

    private static void connect(
            EventLoopGroup group, InetSocketAddress server, int connections, int bytes, @Nullable SslContext tls)
            throws Exception {
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            Checker checker = new Checker(i, bytes, tls == null);
            ends.add(checker.end);
            new Bootstrap()
                    .group(group)
                    .channel(NioSocketChannel.class)
                    .handler(new ChannelInitializer<SocketChannel>() {
                        @Override
                        protected void initChannel(SocketChannel channel) {
                            if (tls != null) {
                                channel.pipeline().addLast(tls.newHandler(channel.alloc()));
                            }
                            channel.pipeline().addLast(checker);
                        }
                    })
                    .connect(server)
                    .sync();
        }
        CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).join();
    }

    /** Sends bytes of a seed while there is room, and checks that the same come back. */
    private static final class Checker extends SimpleChannelInboundHandler<ByteBuf> {
        private final CompletableFuture<Void> end = new CompletableFuture<>();
        private final Random sending;
        private final Random expected;
        private final boolean halfCloses;
        private int unsent;
        private int missing;

        Checker(int seed, int bytes, boolean halfCloses) {
            sending = new Random(seed);
            expected = new Random(seed);
            this.halfCloses = halfCloses;
            unsent = bytes;
            missing = bytes;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            send(context);
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            send(context);
        }

        private void send(ChannelHandlerContext context) {
            while (unsent > 0 && context.channel().isWritable()) {
                ByteBuf chunk = context.alloc().buffer();
                int bytes = Math.min(unsent, CHUNK);
                for (int i = 0; i < bytes; i++) {
                    chunk.writeByte(sending.nextInt());
                }
                unsent -= bytes;
                boolean last = unsent == 0;
                context.writeAndFlush(chunk)
                        .addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE)
                        .addListener(written -> {
                            if (last && halfCloses && written.isSuccess()) {
                                shutdownOutput(context.channel());
                            }
                        });
            }
        }

        private static void shutdownOutput(Channel channel) {
            ((SocketChannel) channel).shutdownOutput().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf octets) throws IOException {
            while (octets.isReadable()) {
                missing--;
                if (octets.readByte() != (byte) expected.nextInt()) {
                    throw new IOException("another byte than was sent, " + missing + " before the end");
                }
            }
            if (missing == 0 && !halfCloses) {
                context.close();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (missing == 0) {
                end.complete(null);
            } else {
                end.completeExceptionally(new IOException("the end, " + missing + " bytes early"));
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            end.completeExceptionally(cause);
            context.close();
        }
    }
}
