package org.panamaverbs.ibverbs;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.device.Availability;
import org.panamaverbs.api.device.DeviceInfo;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.ProviderUnderTest;

/** What the conformance suite runs on: devices of this machine, where it has them, and one beside the Java provider. */
abstract class Devices implements ProviderUnderTest {
    private static final String IBVERBS = "ibverbs";

    private final String device;
    private final String address;
    private final @Nullable String addressV6;

    private Devices(String device, String address, @Nullable String addressV6) {
        this.device = device;
        this.address = address;
        this.addressV6 = addressV6;
    }

    @Override
    public String title() {
        return IBVERBS + " on " + device;
    }

    @Override
    public Optional<String> missing() {
        return Verbs.providers().stream()
                .filter(report -> report.name().equals(IBVERBS))
                .findFirst()
                .map(report -> missing(report.availability()))
                .orElse(Optional.of("no provider " + IBVERBS));
    }

    private Optional<String> missing(Availability availability) {
        if (availability instanceof Availability.Unavailable not) {
            return Optional.of(not.reason() + "; " + not.remedy());
        }
        List<String> names = ((Availability.Available) availability)
                .devices().stream().map(DeviceInfo::name).toList();
        return names.contains(device) ? Optional.empty() : Optional.of("no device '" + device + "' among " + names);
    }

    @Override
    public Verbs openA() {
        return openDevice();
    }

    @Override
    public Verbs openB() {
        return openDevice();
    }

    final Verbs openDevice() {
        return Verbs.open(OpenConfig.provider(IBVERBS).withDevice(device));
    }

    static Verbs openJava() {
        return Verbs.open(OpenConfig.provider("iwarp").with("progress", "background"));
    }

    @Override
    public InetSocketAddress listenAddress() {
        return new InetSocketAddress(InetAddress.ofLiteral(address), 0);
    }

    @Override
    public Optional<InetSocketAddress> listenAddressV6() {
        return Optional.ofNullable(addressV6).map(literal -> new InetSocketAddress(InetAddress.ofLiteral(literal), 0));
    }

    // The kernel's software devices keep Terminates and refused requests to themselves.
    @Override
    public boolean reportsTerminate() {
        return false;
    }

    /** The lab's device of the driver rdma_rxe, RoCE over UDP. */
    static final class Rxe extends Devices {
        Rxe() {
            super("rxe0", "10.0.3.1", "fd00:3::1");
        }

        // Linux 6.1, drivers/infiniband/sw/rxe: rxe_queue_init rounds up to a power of two;
        // check_rkey in rxe_resp.c compares with the range of the registration below a window;
        // copy_data in rxe_mr.c answers -EINVAL where the receive is too short.
        private static final Set<Guarantee> BROKEN = Set.of(
                Guarantee.EXACT_DEPTHS,
                Guarantee.PLACES_UNTIL_POLLED,
                Guarantee.WINDOW_BOUNDS,
                Guarantee.ERROR_STATUSES);

        // Linux 6.12 breaks these as well: flush_recv_wqe in rxe_resp.c posts what it flushes as unsolicited;
        // rxe_requester calls rxe_qp_error for a bind that it refuses, and the completer flushes that with all others.
        private static final Set<Guarantee> BROKEN_SINCE_6_12 =
                Set.of(Guarantee.FAILURES_ARE_SOLICITED, Guarantee.BIND_STATUSES);

        @Override
        public Set<Guarantee> broken(Verbs verbs) {
            EnumSet<Guarantee> broken = EnumSet.copyOf(BROKEN);
            if (KernelRelease.current().isAtLeast(6, 12)) {
                broken.addAll(BROKEN_SINCE_6_12);
            }
            return broken;
        }
    }

    /** A device of the lab, with the driver siw, iWARP over TCP. */
    abstract static class WithSiw extends Devices {
        // Each by its name: what the suite asks for anew is asked of siw, too.
        private static final Set<Guarantee> BROKEN = Set.of(
                Guarantee.COMPLETION_ORDER,
                Guarantee.EMPTY_READS,
                Guarantee.SOLICITED_EVENTS,
                Guarantee.FLUSH_AFTER_FAILURE,
                Guarantee.ONE_COMPLETION,
                Guarantee.DISCONNECT_AWAITS_ARRIVAL,
                Guarantee.CLOSED_ATTEMPT_LETS_GO,
                Guarantee.EXACT_DEPTHS,
                Guarantee.PLACES_UNTIL_POLLED,
                Guarantee.DOMAIN_STAGS_STAY,
                Guarantee.REFUSED_INVALIDATE_ENDS,
                Guarantee.READ_RIGHTS,
                Guarantee.QUEUE_PAIR_RIGHTS,
                Guarantee.ERROR_STATUSES,
                Guarantee.NO_GARBAGE);

        private WithSiw() {
            super("siw0", "10.0.2.15", "fd00:2::15");
        }

        // Linux 6.1, drivers/infiniband/sw/siw: siw_qp_sq_process completes what was sent while the queue of
        // outstanding Reads is not empty; siw_rqe_complete asks siw_cq_notify_now for no solicited event; siw_post_send
        // and the receive queue look at nothing that is posted after siw_sq_flush and siw_rq_flush, and siw_sq_flush
        // stops at the entry of a failed Read, which siw_rdmap_complete cleared without moving on; queues are rounded
        // up to a power of two; siw_rdmap_complete forgets what siw_invalidate_stag answered; siw_qp_sq_proc_tx checks
        // no right of a Read's source, and gives a response that siw_activate_tx queued without bytes the piece of the
        // message before; siw_invalidate_stag asks for the protection domain alone; siw_sq_flush completes a Read that
        // is in the ORQ and still to be sent both as the one and as the other; siw completes what its socket has taken,
        // and tells of nothing that becomes of it later.
        // drivers/infiniband/core/iwcm.c: destroy_cm_id waits for the end of an attempt under way, and what accepts is
        // left to its answer (SetUp).
        @Override
        public Set<Guarantee> broken(Verbs verbs) {
            return verbs.provider().equals(IBVERBS) ? BROKEN : Set.of();
        }
    }

    /** The lab's siw on both sides. */
    static final class Siw extends WithSiw {}

    /** The Java provider connects to the kernel's siw. */
    static final class IwarpToSiw extends WithSiw {
        @Override
        public String title() {
            return "iwarp to " + super.title();
        }

        @Override
        public Verbs openA() {
            return openJava();
        }
    }

    /** The kernel's siw connects to the Java provider. */
    static final class SiwToIwarp extends WithSiw {
        @Override
        public String title() {
            return super.title() + " to iwarp";
        }

        @Override
        public Verbs openB() {
            return openJava();
        }
    }
}
