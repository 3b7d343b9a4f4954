package org.panamaverbs.sockets.programs;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URL;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;

/** The JDK's server of HTTP, which stands on {@code java.nio}, and its old client, which stands on {@code java.net}. */
final class UrlEcho {
    private static final int MOST_BYTES = 100_000;

    private UrlEcho() {}

    /** Runs {@code server}, or {@code client PORT CONNECTIONS REQUESTS}. */
    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("server")) {
            serve();
        } else {
            int connections = Integer.parseInt(arguments[2]);
            int requests = Integer.parseInt(arguments[3]);
            request(Integer.parseInt(arguments[1]), connections, requests);
            System.out.println("checked " + connections * requests);
        }
        System.out.println("ended");
    }

    private static void serve() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            try (exchange) {
                byte[] body = exchange.getRequestBody().readAllBytes();
                exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
        System.out.println("port " + server.getAddress().getPort());
        while (System.in.read() >= 0) {
            // Until who started it closes the input.
        }
        server.stop(0);
    }

    private static void request(int port, int connections, int requests) throws IOException {
        URL url = URI.create("http://" + InetAddress.getLoopbackAddress().getHostAddress() + ":" + port + "/")
                .toURL();
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            Random random = new Random(i);
            ends.add(
                    CompletableFuture.runAsync(() -> request(url, random, requests), each -> new Thread(each).start()));
        }
        CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).join();
    }

    private static void request(URL url, Random random, int requests) {
        for (int i = 0; i < requests; i++) {
            byte[] body = new byte[1 + random.nextInt(MOST_BYTES)];
            random.nextBytes(body);
            try {
                HttpURLConnection connection = (HttpURLConnection) url.openConnection();
                connection.setConnectTimeout(30_000);
                connection.setReadTimeout(30_000);
                connection.setDoOutput(true);
                try (OutputStream out = connection.getOutputStream()) {
                    out.write(body);
                }
                try (InputStream in = connection.getInputStream()) {
                    if (!Arrays.equals(in.readAllBytes(), body)) {
                        throw new IllegalStateException("another answer");
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
