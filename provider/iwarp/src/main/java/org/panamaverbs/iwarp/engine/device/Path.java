package org.panamaverbs.iwarp.engine.device;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Collections;
import org.jspecify.annotations.Nullable;

/** How large a TCP segment to a peer is: what FPDUs are cut for (RFC 5044 §4.1, EMSS). */
public final class Path {
    /** Bytes of the IPv4 and TCP headers, with the timestamp option that all systems send. */
    public static final int IPV4_HEADERS = 20 + 20 + 12;

    private static final int IPV6_HEADERS = 40 + 20 + 12;
    private static final int MAX_PACKET = 65_535;
    // No smaller segment is taken for half of a window.
    private static final int LEAST_WINDOW = 16_384;
    private static final int DEFAULT_MTU = 1_500;
    private static final int MIN_MTU = 576;
    // To find it takes two dozen system calls; its MTU is asked for each time. Null until it was found.
    private static volatile @Nullable NetworkInterface loopback;

    private Path() {}

    /**
     * Returns the segment size between two addresses that are connected: {@code reported} by TCP for the connection,
     * which knows the peer's announcement and the path; where that is 0, from the interface it goes through.
     */
    public static int segmentBytes(InetAddress local, InetAddress remote, int reported) {
        if (reported > 0 && reported < LEAST_WINDOW) {
            return reported;
        }
        int headers = remote instanceof Inet6Address ? IPV6_HEADERS : IPV4_HEADERS;
        return effective(reported, segmentBytes(mtu(local, remote), headers));
    }

    /** Returns {@code reported}, unless that is 0 or says nothing about a path that has segments of {@code derived}. */
    static int effective(int reported, int derived) {
        // Linux keeps a segment within half of the peer's largest window yet, and the window of a SYN within 64 KiB:
        // on the loopback interface TCP reports a half or less at first, and soon sends whole ones.
        boolean isWindow = derived > MAX_PACKET / 2 && reported >= LEAST_WINDOW;
        return reported == 0 || isWindow ? derived : reported;
    }

    /** Returns what an interface's packet carries behind {@code headers}; 0 or a negative MTU is unknown. */
    public static int segmentBytes(int mtu, int headers) {
        int known = mtu <= 0 ? DEFAULT_MTU : Math.max(mtu, MIN_MTU);
        return Math.min(known, MAX_PACKET) - headers;
    }

    private static int mtu(InetAddress local, InetAddress remote) {
        try {
            // An address of this machine is reached through the loopback interface, whichever interface has it.
            boolean sameMachine = remote.isLoopbackAddress()
                    || remote.equals(local)
                    || NetworkInterface.getByInetAddress(remote) != null;
            NetworkInterface through = sameMachine ? loopback() : NetworkInterface.getByInetAddress(local);
            return through == null ? DEFAULT_MTU : through.getMTU();
        } catch (SocketException e) {
            // Only a size is lost: the smallest that is usual works everywhere.
            return DEFAULT_MTU;
        }
    }

    private static @Nullable NetworkInterface loopback() throws SocketException {
        NetworkInterface known = loopback;
        if (known == null) {
            for (NetworkInterface network : Collections.list(NetworkInterface.getNetworkInterfaces())) {
                if (network.isLoopback()) {
                    known = network;
                    loopback = network;
                    break;
                }
            }
        }
        return known;
    }
}
