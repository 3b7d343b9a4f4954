package org.panamaverbs.sockets.programs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;

/** A server of Jetty that gives back what is posted, and some load by the JDK's own client of HTTP, which checks it. */
final class JettyEcho {
    private static final int MOST_BYTES = 100_000;

    private JettyEcho() {}

    /** Runs {@code server}, or {@code client PORT CONNECTIONS REQUESTS}. */
    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("server")) {
            serve();
        } else {
            int connections = Integer.parseInt(arguments[2]);
            int requests = Integer.parseInt(arguments[3]);
            URI server = URI.create("http://" + InetAddress.getLoopbackAddress().getHostAddress() + ":"
                    + Integer.parseInt(arguments[1]) + "/");
            request(server, connections, requests);
            System.out.println("checked " + connections * requests);
        }
        System.out.println("ended");
    }

    private static void serve() throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost(InetAddress.getLoopbackAddress().getHostAddress());
        server.addConnector(connector);
        server.setHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                Content.copy(request, response, callback);
                return true;
            }
        });
        server.start();
        System.out.println("port " + connector.getLocalPort());
        while (System.in.read() >= 0) {
            // Until who started it closes the input.
        }
        server.stop();
    }

    private static void request(URI server, int connections, int requests) {
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            for (int i = 0; i < connections; i++) {
                ends.add(requests(client, server, new Random(i), requests));
            }
            CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).join();
        }
    }

    /** One request after the other, as whoever waits for the answer of the one before. */
    private static CompletableFuture<Void> requests(HttpClient client, URI server, Random random, int left) {
        if (left == 0) {
            return CompletableFuture.completedFuture(null);
        }
        byte[] body = new byte[random.nextInt(MOST_BYTES)];
        random.nextBytes(body);
        HttpRequest request = HttpRequest.newBuilder(server)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray())
                .thenCompose(response -> response.statusCode() == 200 && Arrays.equals(response.body(), body)
                        ? requests(client, server, random, left - 1)
                        : CompletableFuture.failedFuture(new IOException("another answer: " + response)));
    }
}
