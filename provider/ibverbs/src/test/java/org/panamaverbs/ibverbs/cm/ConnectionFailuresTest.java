package org.panamaverbs.ibverbs.cm;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.bindings.Errno;

class ConnectionFailuresTest {
    private static final InetSocketAddress PEER = new InetSocketAddress(InetAddress.ofLiteral("10.0.3.1"), 7174);
    private static final byte[] NOTHING = {};

    private final ConnectionFailures roce = new ConnectionFailures("connect", "rxe0", false, PEER, false);
    private final ConnectionFailures iwarp = new ConnectionFailures("connect", "siw0", true, PEER, false);

    @ParameterizedTest
    @CsvSource({
        "111, REFUSED",
        "104, RESET",
        "103, RESET",
        "110, UNREACHABLE",
        "113, UNREACHABLE",
        "101, UNREACHABLE",
        "98, ADDRESS_IN_USE",
        "99, UNREACHABLE",
        "19, UNREACHABLE"
    })
    void errorOfCallHasReason(int errno, Reason reason) {
        ConnectionException failure = (ConnectionException) roce.call("rdma_connect", errno);
        assertThat(failure.reason()).isEqualTo(reason);
        assertThat(failure.operation()).isEqualTo("connect");
        assertThat(failure).hasMessageContainingAll("rdma_connect", "10.0.3.1:7174", "rxe0", Errno.describe(errno));
    }

    @Test
    void missingPermissionIsNoConnectionFailure() {
        assertThat(roce.call("rdma_bind_addr", Errno.EACCES))
                .isInstanceOfSatisfying(
                        ResourceException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EACCES))
                .hasMessageContaining("access denied");
    }

    @ParameterizedTest
    @CsvSource({"rdma_bind_addr, CAP_NET_BIND_SERVICE", "rdma_resolve_addr, CAP_NET_BIND_SERVICE", "rdma_listen, uverbs"
    })
    void portThatNeedsAPrivilegeIsNoMatterOfDeviceFiles(String call, String remedy) {
        assertThat(roce.call(call, Errno.EACCES)).hasMessageContaining(remedy);
    }

    @Test
    void whoHasGivenUpAfterItWasHeardIsReset() {
        ConnectionFailures accepting = new ConnectionFailures("accept", "rxe0", false, PEER, true);
        assertThat(reason(accepting.call("rdma_accept", Errno.EINVAL))).isEqualTo(Reason.RESET);
        assertThat(reason(roce.whenHeard().call("rdma_establish", Errno.EINVAL)))
                .isEqualTo(Reason.RESET);
        assertThat(roce.call("rdma_connect", Errno.EINVAL)).isInstanceOf(ResourceException.class);
    }

    @Test
    void iwarpDepthsBeyondTheDeviceAreNegotiation() {
        assertThat(reason(iwarp.call("rdma_connect", Errno.ENOMEM))).isEqualTo(Reason.NEGOTIATION);
        assertThat(roce.call("rdma_connect", Errno.ENOMEM)).isInstanceOf(ResourceException.class);
    }

    @Test
    void applicationsRejectionCarriesItsData() {
        byte[] data = {1, 2, 3};
        ConnectionException failure =
                (ConnectionException) roce.event(new CmEvent(CmEventType.REJECTED, 28, 0, 0, data));
        assertThat(failure.reason()).isEqualTo(Reason.REJECTED);
        assertThat(failure.privateData()).isEqualTo(data);
    }

    @Test
    void missingListenerIsRefusedWithoutTheManagersPadding() {
        ConnectionException failure =
                (ConnectionException) roce.event(new CmEvent(CmEventType.REJECTED, 8, 0, 0, new byte[148]));
        assertThat(failure.reason()).isEqualTo(Reason.REFUSED);
        assertThat(failure.privateData()).isEmpty();
        assertThat(failure).hasMessageContaining("no listener");
    }

    @Test
    void iwarpRejectionIsRejectedWithAndWithoutData() {
        byte[] data = {4};
        ConnectionException failure =
                (ConnectionException) iwarp.event(new CmEvent(CmEventType.REJECTED, -104, 0, 0, data));
        assertThat(failure.reason()).isEqualTo(Reason.REJECTED);
        assertThat(failure.privateData()).isEqualTo(data);
        assertThat(iwarp.event(new CmEvent(CmEventType.REJECTED, -104, 0, 0, NOTHING)))
                .isInstanceOfSatisfying(
                        ConnectionException.class, e -> assertThat(e.reason()).isEqualTo(Reason.REJECTED))
                .hasMessageContaining("closed the stream");
    }

    @ParameterizedTest
    @CsvSource({
        "ADDR_ERROR, UNREACHABLE, UNREACHABLE",
        "ROUTE_ERROR, UNREACHABLE, UNREACHABLE",
        "UNREACHABLE, UNREACHABLE, UNREACHABLE",
        "CONNECT_ERROR, PROTOCOL, NEGOTIATION",
        "DISCONNECTED, RESET, RESET",
        "DEVICE_REMOVAL, CLOSED, CLOSED",
        "ESTABLISHED, PROTOCOL, PROTOCOL"
    })
    void eventHasReason(CmEventType type, Reason onRoce, Reason onIwarp) {
        CmEvent event = new CmEvent(type, -Errno.ETIMEDOUT, 0, 0, NOTHING);
        assertThat(reason(roce.event(event))).isEqualTo(onRoce);
        assertThat(reason(iwarp.event(event))).isEqualTo(onIwarp);
        assertThat(roce.event(event)).hasMessageContainingAll("RDMA_CM_EVENT_" + type, "10.0.3.1:7174", "rxe0");
    }

    @ParameterizedTest
    @EnumSource(RejectReason.class)
    void everyReasonToRejectIsFoundByItsNumber(RejectReason reason) {
        assertThat(reason.text()).isNotBlank();
        assertThat(roce.event(new CmEvent(CmEventType.REJECTED, number(reason), 0, 0, NOTHING)))
                .isInstanceOfSatisfying(
                        ConnectionException.class, e -> assertThat(e.reason()).isEqualTo(reason.meaning()))
                .hasMessageContaining(reason.text());
    }

    @Test
    void otherDeviceIsNamed() {
        InetSocketAddress local = new InetSocketAddress(InetAddress.ofLiteral("10.0.2.15"), 4000);
        assertThat(roce.otherDevice("siw0", local))
                .hasMessageContainingAll("10.0.3.1:7174", "open siw0", "10.0.2.15:4000", "device rxe0");
    }

    private static int number(RejectReason wanted) {
        for (int number = -1; number < 256; number++) {
            if (RejectReason.of(number) == wanted) {
                return number;
            }
        }
        throw new AssertionError(wanted);
    }

    private static Reason reason(VerbsException failure) {
        return ((ConnectionException) failure).reason();
    }
}
