package org.panamaverbs.iwarp;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;
import java.net.InetSocketAddress;
import java.util.function.Supplier;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.cm.PendingConnection;
import org.panamaverbs.api.device.DeviceInfo;

/** A device of another network namespace: its event loop lives there, and its sockets are made there. */
final class NetworkNamespaceVerbs extends ConnectingVerbs {
    private static final int CLONE_NEWNET = 0x40000000; // linux/sched.h
    private static final MethodHandle OPEN = libc("open", ADDRESS, JAVA_INT);
    private static final MethodHandle SET_NAMESPACE = libc("setns", JAVA_INT, JAVA_INT);

    private final String namespace;

    /** Opens a device in {@code namespace}, a file as {@code /proc/PID/ns/net}. */
    NetworkNamespaceVerbs(String namespace, Supplier<Verbs> opening) {
        super(in(namespace, opening));
        this.namespace = namespace;
    }

    private static MethodHandle libc(String name, MemoryLayout... arguments) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().find(name).orElseThrow(), FunctionDescriptor.of(JAVA_INT, arguments));
    }

    /** Does {@code work} on this thread in a network namespace. */
    private static <T> T in(String namespace, Supplier<T> work) {
        // Descriptors stay open: there are as many as calls of a test run.
        int own = open("/proc/thread-self/ns/net");
        enter(open(namespace));
        try {
            return work.get();
        } finally {
            enter(own);
        }
    }

    private static int open(String path) {
        try (Arena arena = Arena.ofConfined()) {
            return checked((int) OPEN.invokeExact(arena.allocateFrom(path), 0), path);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static void enter(int descriptor) {
        try {
            checked((int) SET_NAMESPACE.invokeExact(descriptor, CLONE_NEWNET), "setns");
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static int checked(int result, String what) {
        if (result < 0) {
            throw new IllegalStateException(what + " failed");
        }
        return result;
    }

    /** Its ports, which ask it, have the addresses of that namespace. */
    @Override
    public DeviceInfo device() {
        return in(namespace, verbs::device);
    }

    @Override
    public Connection connect(
            InetSocketAddress address, QueuePair queuePair, ConnectionConfig config, Deadline deadline) {
        return in(namespace, () -> verbs.connect(address, queuePair, config, deadline));
    }

    @Override
    public Connection connect(
            InetSocketAddress address, QueuePairConfig queuePair, ConnectionConfig config, Deadline deadline) {
        return in(namespace, () -> verbs.connect(address, queuePair, config, deadline));
    }

    @Override
    public PendingConnection beginConnect(
            InetSocketAddress address, QueuePair queuePair, ConnectionConfig config, Deadline deadline) {
        return in(namespace, () -> verbs.beginConnect(address, queuePair, config, deadline));
    }

    @Override
    public PendingConnection beginConnect(
            InetSocketAddress address, QueuePairConfig queuePair, ConnectionConfig config, Deadline deadline) {
        return in(namespace, () -> verbs.beginConnect(address, queuePair, config, deadline));
    }

    @Override
    public Listener listen(InetSocketAddress address, ListenerConfig config) {
        return in(namespace, () -> verbs.listen(address, config));
    }
}
