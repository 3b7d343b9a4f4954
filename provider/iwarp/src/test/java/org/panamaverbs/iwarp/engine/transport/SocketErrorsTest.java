package org.panamaverbs.iwarp.engine.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.bindings.libc.Libc;
import org.panamaverbs.iwarp.net.LibcErrors;

/** What failures to connect mean to the application. */
class SocketErrorsTest {
    private static final InetSocketAddress PEER = new InetSocketAddress(InetAddress.getLoopbackAddress(), 7174);

    private static Reason reason(IOException cause) {
        return SocketErrors.connecting(PEER, cause).reason();
    }

    @Test
    void aPeerThatResetsAtOnceWasReached() {
        assertThat(reason(new SocketException("Connection reset by peer"))).isEqualTo(Reason.RESET);
        assertThat(reason(new SocketException("Connection reset"))).isEqualTo(Reason.RESET);
    }

    @Test
    void othersWereNot() {
        assertThat(reason(new ConnectException("Connection refused"))).isEqualTo(Reason.REFUSED);
        assertThat(reason(new NoRouteToHostException("No route to host"))).isEqualTo(Reason.UNREACHABLE);
        assertThat(reason(new ConnectException("Connection timed out"))).isEqualTo(Reason.UNREACHABLE);
    }

    @ParameterizedTest
    @CsvSource({
        "Connection reset by peer, RESET",
        "Broken pipe, RESET",
        "Connection timed out, UNREACHABLE",
        "No route to host, UNREACHABLE",
        "Network is unreachable, UNREACHABLE",
        "Network is down, UNREACHABLE",
        "write: ENETDOWN (100): network is down, UNREACHABLE",
        "epoll_ctl: ENOSPC (28): no space left, CLOSED",
        "No space left on device, CLOSED",
        "writev: ENOBUFS (105): no buffer space, CLOSED",
        "No buffer space available, CLOSED",
        "No buffer space available (maximum connections reached?), CLOSED",
        "memfd_create: ENOMEM (12): out of memory, CLOSED",
        "Cannot allocate memory, CLOSED",
        "Too many open files, CLOSED",
        "An existing connection was forcibly closed by the remote host, RESET",
        "An established connection was aborted by the software in your host machine, RESET",
        "Software caused connection abort, RESET",
        "Protocol wrong type for socket, RESET"
    })
    void onlyWhatThisSideIsKnownToLackIsItsOwnFault(String words, Reason reason) {
        ConnectionException failure = SocketErrors.broken("connect", PEER, new IOException(words), null);
        assertThat(failure.reason()).isEqualTo(reason);
        assertThat(failure).hasMessageContaining(words).hasMessageNotContaining("revision=1");
    }

    /** This process or this machine lacks it: neither the route nor the peer does. */
    @Test
    void whatThisSideLacksIsNoUnreachablePeer() {
        ConnectionException failure = SocketErrors.connecting(PEER, new SocketException("Too many open files"));
        assertThat(failure.reason()).isEqualTo(Reason.CLOSED);
        assertThat(failure).hasMessageContaining("ulimit -n");
    }

    /**
     * No address of the family, as ::1 without IPv6, or no free port: the peer and the way to it have no part in it.
     */
    @Test
    void lackOfALocalAddressIsNoMatterOfRoutes() {
        ConnectionException failure =
                SocketErrors.connecting(PEER, new ConnectException("Cannot assign requested address"));
        assertThat(failure.reason()).isEqualTo(Reason.UNREACHABLE);
        assertThat(failure).hasMessageContainingAll("; remedy: ", "`ip addr`", "`ss -s`");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Cannot assign requested address | choose an address of this machine (`ip addr`)
            bind: EAFNOSUPPORT (97): address family not supported | use an IPv4 address
            IPv6 not available | use an IPv4 address
            bind: EINVAL (22): invalid argument | see `ip addr` and `ss -ltnp`
            """)
    void addressThatCannotBeBoundHasTheRemedyOfItsKind(String words, String remedy) {
        assertThat(SocketErrors.binding("listen", PEER, new BindException(words)))
                .isInstanceOfSatisfying(
                        ConnectionException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNREACHABLE))
                .hasMessageContainingAll("127.0.0.1:7174 cannot be bound: " + words, "; remedy: " + remedy);
    }

    @ParameterizedTest
    @CsvSource({
        "Permission denied, 13, CAP_NET_BIND_SERVICE",
        "bind: EACCES (13): permission denied, 13, CAP_NET_BIND_SERVICE",
        "Operation not permitted, 1, CAP_NET_BIND_SERVICE",
        "bind: EPERM (1): not permitted, 1, CAP_NET_BIND_SERVICE",
        "Too many open files, 24, ulimit -n",
        "socket: EMFILE (24): too many, 24, ulimit -n",
        "socket: ENOBUFS (105): no buffer space, 0, more memory",
        "No buffer space available, 0, more memory",
        "Cannot allocate memory, 0, more memory",
        "No space left on device, 0, more memory"
    })
    void whatThisProcessMayNotBindIsAMatterOfResources(String words, int errno, String remedy) {
        assertThat(SocketErrors.binding("listen", PEER, new BindException(words)))
                .isInstanceOfSatisfying(
                        ResourceException.class, e -> assertThat(e.errno()).isEqualTo(errno))
                .hasMessageContainingAll(words, "; remedy: ", remedy)
                .hasMessageNotContaining("ip addr");
    }

    @Test
    void systemCallsSayAsNioThatAPortNeedsAPrivilege() {
        assertThat(LibcErrors.binding(Libc.EACCES())).hasMessage("Permission denied");
    }
}
