package org.panamaverbs.iwarp.net;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.bindings.LinuxFiles;
import org.panamaverbs.bindings.libc.Libc;
import org.panamaverbs.iwarp.iovec.IoVector;
import org.panamaverbs.spi.support.DeferredLog;

/**
 * A connection by system calls: one for each read and each write, whatever number of buffers it has; nothing is copied,
 * but for buffers on the heap.
 */
final class LibcSocket extends LibcDescriptor implements TcpSocket {
    private static final MethodHandle SHUTDOWN = LibcCalls.handle("shutdown");
    private static final MethodHandle GETSOCKOPT = LibcCalls.handle("getsockopt");

    // ioctl(2) takes what it is asked for as a variable argument.
    private static final MethodHandle IOCTL = LibcCalls.handle("ioctl", 2);

    // The system forgets it when the connection is reset.
    private volatile @Nullable InetSocketAddress peer;
    // Each set-up asks several times, and once it is connected the answer stays the same.
    private volatile @Nullable InetSocketAddress local;

    private LibcSocket(int descriptor, @Nullable InetSocketAddress peer) {
        super(descriptor);
        this.peer = peer;
    }

    /** Links what a connection calls. */
    static void prepare() {
        // That it is called is enough.
    }

    /** Takes {@code descriptor} over, connected with {@code peer} unless that is null; not if it throws. */
    static LibcSocket of(int descriptor, @Nullable InetSocketAddress peer) throws IOException {
        SocketCalls.option(descriptor, Libc.IPPROTO_TCP(), Libc.TCP_NODELAY(), 1);
        return new LibcSocket(descriptor, peer);
    }

    @Override
    public void bind(InetSocketAddress local) throws IOException {
        SocketCalls.bind(descriptor(), local);
    }

    @Override
    public void keepalive(Keepalive keepalive) throws IOException {
        SocketCalls.option(descriptor(), Libc.SOL_SOCKET(), Libc.SO_KEEPALIVE(), keepalive.enabled() ? 1 : 0);
        if (keepalive.enabled()) {
            SocketCalls.option(descriptor(), Libc.IPPROTO_TCP(), Libc.TCP_KEEPIDLE(), keepalive.idleSeconds());
            SocketCalls.option(descriptor(), Libc.IPPROTO_TCP(), Libc.TCP_KEEPINTVL(), keepalive.intervalSeconds());
            SocketCalls.option(descriptor(), Libc.IPPROTO_TCP(), Libc.TCP_KEEPCNT(), keepalive.count());
        }
    }

    @Override
    public void typeOfService(int octet) throws IOException {
        if (localAddress().getAddress().getAddress().length == Integer.BYTES) {
            SocketCalls.option(descriptor(), Libc.IPPROTO_IP(), Libc.IP_TOS(), octet);
        } else {
            SocketCalls.option(descriptor(), Libc.IPPROTO_IPV6(), Libc.IPV6_TCLASS(), octet);
        }
    }

    // ---- connecting -----------------------------------------------------------------------------------------------

    @Override
    public boolean connect(InetSocketAddress to) throws IOException {
        peer = to;
        int result = SocketCalls.connect(descriptor(), to);
        if (result == 0) {
            return true;
        }
        if (result == -Libc.EINPROGRESS()) {
            return false;
        }
        throw LibcErrors.connecting(-result);
    }

    @Override
    public boolean finishConnect() throws IOException {
        int error = pendingError();
        if (error != 0) {
            throw LibcErrors.connecting(error);
        }
        return SocketCalls.hasPeer(descriptor());
    }

    private int pendingError() throws IOException {
        long result = option(Libc.SOL_SOCKET(), Libc.SO_ERROR());
        return (int) Math.abs(result);
    }

    @Override
    public int segmentBytes() throws IOException {
        return (int) Math.max(0, option(Libc.IPPROTO_TCP(), Libc.TCP_MAXSEG()));
    }

    /** Returns the value of an option that is a number, or the negative error number. */
    private long option(int level, int name) throws IOException {
        LibcCalls calls = LibcCalls.take();
        try {
            MemorySegment small = calls.small();
            small.set(JAVA_INT, 0, 0);
            small.set(JAVA_INT, Integer.BYTES, Integer.BYTES);
            long address = small.address();
            long result = calls.callInt(GETSOCKOPT, descriptor(), level, name, address, address + Integer.BYTES);
            return result < 0 ? result : small.get(JAVA_INT, 0);
        } finally {
            calls.giveBack();
        }
    }

    @Override
    public InetSocketAddress localAddress() throws IOException {
        InetSocketAddress known = local;
        if (known == null) {
            known = SocketCalls.localAddress(descriptor());
            // The call that connects has chosen it.
            local = peer == null ? null : known;
        }
        return known;
    }

    @Override
    public InetSocketAddress remoteAddress() throws IOException {
        InetSocketAddress known = peer;
        if (known == null) {
            throw new SocketException("the socket was never connected");
        }
        return known;
    }

    // ---- bytes ---------------------------------------------------------------------------------------------------

    @Override
    public int read(ByteBuffer into) throws IOException {
        return read(into, 0);
    }

    private int read(ByteBuffer into, long base) throws IOException {
        int length = into.remaining();
        if (length == 0) {
            return 0;
        }
        LibcCalls calls = LibcCalls.take();
        try {
            if (into.isDirect()) {
                int octets = received(calls.receive(descriptor(), address(into, base), length));
                into.position(into.position() + Math.max(octets, 0));
                return octets;
            }
            MemorySegment bounce = calls.bounce();
            int octets = received(calls.receive(descriptor(), bounce.address(), Math.min(length, bounce.byteSize())));
            if (octets > 0) {
                into.put(bounce.asSlice(0, octets).asByteBuffer());
            }
            return octets;
        } finally {
            calls.giveBack();
        }
    }

    @Override
    public long read(IoVector into) throws IOException {
        into.begin();
        int first = into.first();
        if (into.count() == 1 && into.memory(first).byteSize() == 0) {
            int octets = read(into.buffer(first), into.memory(first).address());
            into.count(Math.max(octets, 0));
            return octets;
        }
        LibcCalls calls = LibcCalls.take();
        try {
            calls.beginVector();
            for (int i = first; i < into.end(); i++) {
                ByteBuffer buffer = into.buffer(i);
                if (buffer.hasRemaining()) {
                    if (!calls.hold(into.memory(i))) {
                        break;
                    }
                    calls.add(address(buffer, into.memory(i).address()), buffer.remaining());
                }
            }
            int octets = received(calls.receiveVector(descriptor()));
            into.advance(first, Math.max(octets, 0));
            return octets;
        } finally {
            calls.giveBack();
        }
    }

    private static int received(long result) throws IOException {
        if (result > 0) {
            return (int) result;
        }
        if (result == 0) {
            return -1;
        }
        if (isTemporary(result)) {
            return 0;
        }
        throw LibcErrors.of("recv", (int) -result);
    }

    // Interrupted counts as nothing there: the next call comes soon enough.
    private static boolean isTemporary(long result) {
        return result == -Libc.EAGAIN() || result == -Libc.EINTR();
    }

    private static long address(ByteBuffer direct, long base) {
        return base == 0 ? MemorySegment.ofBuffer(direct).address() : base + direct.position();
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        LibcCalls calls = LibcCalls.take();
        try {
            int written = 0;
            while (from.hasRemaining()) {
                calls.beginVector();
                add(calls, from, 0);
                long asked = calls.vectorBytes();
                int sent = send(calls, written > 0);
                from.position(from.position() + sent);
                written += sent;
                if (sent < asked) {
                    break;
                }
            }
            return written;
        } finally {
            calls.giveBack();
        }
    }

    @Override
    public long write(IoVector from) throws IOException {
        from.begin();
        if (from.isEmpty()) {
            return 0;
        }
        LibcCalls calls = LibcCalls.take();
        try {
            write(calls, from);
        } finally {
            calls.giveBack();
        }
        return from.moved();
    }

    private void write(LibcCalls calls, IoVector from) throws IOException {
        for (int at = from.first(); at < from.end(); ) {
            int next = gather(calls, from, at);
            long asked = calls.vectorBytes();
            int sent = send(calls, from.moved() > 0);
            from.advance(at, sent);
            if (sent < asked || from.buffer(next - 1).hasRemaining()) {
                return;
            }
            at = next;
        }
    }

    /** Sends the gather list; returns the bytes. Behind others it does not fail: the next call fails as well. */
    private int send(LibcCalls calls, boolean behindOthers) throws IOException {
        long sent = calls.vectorBytes() == 0 ? 0 : calls.sendVector(descriptor());
        if (sent < 0 && !behindOthers && !isTemporary(sent)) {
            throw LibcErrors.of("send", (int) -sent);
        }
        return (int) Math.max(sent, 0);
    }

    /** Makes a gather list of the buffers from {@code at} on; returns the index behind the last one in it. */
    private static int gather(LibcCalls calls, IoVector from, int at) {
        calls.beginVector();
        int i = at;
        for (; i < from.end() && calls.hasRoom(); i++) {
            boolean copied = !from.buffer(i).isDirect();
            if ((copied && i > at) || !calls.hold(from.memory(i))) {
                return i;
            }
            add(calls, from.buffer(i), from.memory(i).address());
            if (copied) {
                return i + 1;
            }
        }
        return i;
    }

    /** Adds what is left of {@code buffer}; of one on the heap, which is copied, what fits. */
    private static void add(LibcCalls calls, ByteBuffer buffer, long base) {
        int length = buffer.remaining();
        if (length == 0) {
            return;
        }
        if (buffer.isDirect()) {
            calls.add(address(buffer, base), length);
            return;
        }
        MemorySegment bounce = calls.bounce();
        int some = (int) Math.min(length, bounce.byteSize());
        MemorySegment.copy(MemorySegment.ofBuffer(buffer), 0, bounce, 0, some);
        calls.add(bounce.address(), some);
    }

    @Override
    public long unacknowledged() throws IOException {
        int left;
        LibcCalls calls = LibcCalls.take();
        try {
            MemorySegment octets = calls.small();
            octets.set(JAVA_INT, 0, 0);
            if (calls.callInt(IOCTL, descriptor(), LinuxFiles.SIOCOUTQ, octets.address()) < 0) {
                return UNKNOWN;
            }
            left = octets.get(JAVA_INT, 0);
        } finally {
            calls.giveBack();
        }
        // After a reset the number stays as it was.
        int error = left == 0 ? 0 : pendingError();
        if (error != 0) {
            throw LibcErrors.of("send", error);
        }
        return left;
    }

    @Override
    public void shutdownOutput() throws IOException {
        LibcCalls calls = LibcCalls.take();
        try {
            long result = calls.callInt(SHUTDOWN, descriptor(), Libc.SHUT_WR(), 0);
            if (result < 0) {
                throw LibcErrors.of("shutdown", (int) -result);
            }
        } finally {
            calls.giveBack();
        }
    }

    @Override
    public void close(boolean reset) {
        try {
            if (reset && isOpen()) {
                SocketCalls.lingerNot(descriptor());
            }
        } catch (IOException e) {
            DeferredLog.log(LibcSocket.class, System.Logger.Level.DEBUG, "a socket cannot be reset", e);
        } finally {
            closeDescriptor();
        }
    }
}
