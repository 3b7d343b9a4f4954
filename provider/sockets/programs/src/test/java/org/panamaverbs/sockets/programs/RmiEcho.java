package org.panamaverbs.sockets.programs;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/** An object that others call by RMI, in a registry, and some who call it and check what they get. */
final class RmiEcho {
    private static final int MOST_BYTES = 50_000;

    private RmiEcho() {}

    /** What the object does. */
    public interface Echo extends Remote {
        /** Returns what it gets. */
        byte[] echo(byte[] octets) throws RemoteException;
    }

    /** Runs {@code server}, or {@code client PORT CALLERS CALLS}. */
    public static void main(String[] arguments) throws Exception {
        System.setProperty(
                "java.rmi.server.hostname", InetAddress.getLoopbackAddress().getHostAddress());
        if (arguments[0].equals("server")) {
            serve();
        } else {
            int callers = Integer.parseInt(arguments[2]);
            int calls = Integer.parseInt(arguments[3]);
            call(Integer.parseInt(arguments[1]), callers, calls);
            System.out.println("checked " + callers * calls);
        }
        System.out.println("ended");
    }

    private static void serve() throws Exception {
        Registry registry = LocateRegistry.createRegistry(0, null, port -> {
            ServerSocket socket = new ServerSocket(port);
            System.out.println("port " + socket.getLocalPort());
            return socket;
        });
        Echo echo = octets -> octets;
        registry.bind("echo", UnicastRemoteObject.exportObject(echo, 0));
        while (System.in.read() >= 0) {
            // Until who started it closes the input.
        }
        UnicastRemoteObject.unexportObject(echo, true);
        UnicastRemoteObject.unexportObject(registry, true);
    }

    private static void call(int port, int callers, int calls) throws Exception {
        Echo echo = (Echo)
                LocateRegistry.getRegistry(InetAddress.getLoopbackAddress().getHostAddress(), port)
                        .lookup("echo");
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            Random random = new Random(i);
            ends.add(CompletableFuture.runAsync(() -> call(echo, random, calls), each -> new Thread(each).start()));
        }
        CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).join();
    }

    private static void call(Echo echo, Random random, int calls) {
        for (int i = 0; i < calls; i++) {
            byte[] octets = new byte[random.nextInt(MOST_BYTES)];
            random.nextBytes(octets);
            try {
                if (!Arrays.equals(echo.echo(octets), octets)) {
                    throw new IllegalStateException("another answer");
                }
            } catch (RemoteException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
