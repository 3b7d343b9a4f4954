package org.panamaverbs.sockets.programs;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A server of gRPC that gives back each message of a stream, and clients that check that. */
final class GrpcEcho {
    private static final int MOST_BYTES = 50_000;
    private static final long END_SECONDS = 60;

    private static final MethodDescriptor.Marshaller<byte[]> OCTETS = new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] octets) {
            return new ByteArrayInputStream(octets);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    };

    private static final MethodDescriptor<byte[], byte[]> ECHO = MethodDescriptor.newBuilder(OCTETS, OCTETS)
            .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
            .setFullMethodName(MethodDescriptor.generateFullMethodName("Echo", "echo"))
            .build();

    private GrpcEcho() {}

    /** Runs {@code server}, or {@code client PORT STREAMS MESSAGES}. */
    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("server")) {
            serve();
        } else {
            int streams = Integer.parseInt(arguments[2]);
            int messages = Integer.parseInt(arguments[3]);
            stream(Integer.parseInt(arguments[1]), streams, messages);
            System.out.println("checked " + streams * messages);
        }
        System.out.println("ended");
    }

    private static void serve() throws Exception {
        Server server = Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
                .addService(ServerServiceDefinition.builder("Echo")
                        .addMethod(ECHO, ServerCalls.asyncBidiStreamingCall(Echo::new))
                        .build())
                .build()
                .start();
        System.out.println("port " + server.getPort());
        while (System.in.read() >= 0) {
            // Until who started it closes the input.
        }
        if (!server.shutdown().awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException("the server does not end");
        }
    }

    private record Echo(StreamObserver<byte[]> answers) implements StreamObserver<byte[]> {
        @Override
        public void onNext(byte[] message) {
            answers.onNext(message);
        }

        @Override
        public void onError(Throwable failure) {
            System.out.println("failed: " + failure);
        }

        @Override
        public void onCompleted() {
            answers.onCompleted();
        }
    }

    private static void stream(int port, int streams, int messages) throws Exception {
        ManagedChannel channel = Grpc.newChannelBuilder(
                        InetAddress.getLoopbackAddress().getHostAddress() + ":" + port,
                        InsecureChannelCredentials.create())
                .build();
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        for (int i = 0; i < streams; i++) {
            Checker checker = new Checker(i, messages);
            ends.add(checker.end);
            ClientCall<byte[], byte[]> call = channel.newCall(ECHO, CallOptions.DEFAULT);
            StreamObserver<byte[]> requests = ClientCalls.asyncBidiStreamingCall(call, checker);
            Random sent = new Random(i);
            for (int j = 0; j < messages; j++) {
                requests.onNext(message(sent));
            }
            requests.onCompleted();
        }
        CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).join();
        if (!channel.shutdown().awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException("the channel does not end");
        }
    }

    private static byte[] message(Random random) {
        byte[] octets = new byte[random.nextInt(MOST_BYTES)];
        random.nextBytes(octets);
        return octets;
    }

    private static final class Checker implements StreamObserver<byte[]> {
        private final CompletableFuture<Void> end = new CompletableFuture<>();
        private final Random expected;
        private int missing;

        Checker(int seed, int messages) {
            expected = new Random(seed);
            missing = messages;
        }

        @Override
        public void onNext(byte[] message) {
            missing--;
            if (!Arrays.equals(message, message(expected))) {
                end.completeExceptionally(Status.DATA_LOSS.asRuntimeException());
            }
        }

        @Override
        public void onError(Throwable failure) {
            end.completeExceptionally(failure);
        }

        @Override
        public void onCompleted() {
            if (missing == 0) {
                end.complete(null);
            } else {
                end.completeExceptionally(new IOException("the end, " + missing + " messages early"));
            }
        }
    }
}
