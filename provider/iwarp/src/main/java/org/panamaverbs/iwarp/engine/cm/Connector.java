package org.panamaverbs.iwarp.engine.cm;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.PendingConnection;
import org.panamaverbs.iwarp.core.setup.StartupConfig;
import org.panamaverbs.iwarp.engine.IwarpQueuePair;
import org.panamaverbs.iwarp.engine.device.ConnectionOptions;
import org.panamaverbs.iwarp.engine.device.Device;
import org.panamaverbs.iwarp.engine.device.IwarpOption;
import org.panamaverbs.iwarp.engine.device.IwarpOptions;
import org.panamaverbs.iwarp.engine.device.SharedMemoryOptions;
import org.panamaverbs.iwarp.engine.transport.Transport;
import org.panamaverbs.spi.support.HostAddresses;
import org.panamaverbs.spi.support.HostNames;
import org.panamaverbs.spi.support.Limits;

/** Connects queue pairs as a configuration says. */
public final class Connector {
    private final CmContext cm;
    private final ConnectionConfig config;
    private final ConnectionOptions options;

    /**
     * Creates what connects as {@code config} says.
     *
     * @throws IllegalArgumentException if the configuration exceeds what the device can
     */
    public Connector(CmContext cm, ConnectionConfig config) {
        this.cm = cm;
        this.config = config;
        boolean enhanced = cm.context().options().get(IwarpOption.REVISION) > 1;
        Limits.checkPrivateData(
                config.privateData(), enhanced ? Device.MAX_PRIVATE_DATA_ENHANCED : Device.MAX_PRIVATE_DATA);
        Device.LIMITS.check(config);
        options = ConnectionOptions.parse(config, cm.context().options());
        if (config.tls() != null) {
            requireNoRings(options.sharedMemory());
        }
    }

    /** Refuses to have {@code wish} ask for shared memory beside TLS. */
    static void requireNoRings(SharedMemoryOptions wish) {
        if (wish.isRequired() || wish.direct() == SharedMemoryOptions.Direct.ON) {
            throw new IllegalArgumentException((wish.isRequired() ? "shm=require" : "shm.direct=on")
                    + " and a TlsConfig exclude each other: shared memory proves the peer's user, not its"
                    + " certificate; remedy: leave one of them out");
        }
    }

    /** Returns what {@code config} and the options say to the peer. */
    public static StartupConfig startup(IwarpOptions options, ConnectionConfig config) {
        return StartupConfig.builder()
                .crc(options.get(IwarpOption.CRC))
                .markers(options.get(IwarpOption.MARKERS))
                .revision(options.get(IwarpOption.REVISION))
                .peerToPeer(config.peerToPeer())
                .ird(config.responderResources())
                .ord(config.initiatorDepth())
                .maxIrd(Device.CAPABILITIES.maxResponderResources())
                .rtrWrite(options.get(IwarpOption.RTR).contains("write"))
                .rtrRead(options.get(IwarpOption.RTR).contains("read"))
                .rtrSend(options.get(IwarpOption.RTR).contains("send"))
                .privateData(config.privateData())
                .build();
    }

    /**
     * Connects {@code queuePair} to {@code peer}; if that fails the queue pair has failed, and is closed if
     * {@code owned}.
     */
    public Connection connect(InetSocketAddress peer, IwarpQueuePair queuePair, boolean owned, Deadline deadline) {
        Attempt attempt = Attempt.of(cm, "connect", queuePair, owned, peer, options);
        try {
            InetSocketAddress target = HostNames.resolved("connect", peer, deadline);
            InetSocketAddress local = config.localAddress() == null
                    ? null
                    : HostNames.resolved("connect", config.localAddress(), deadline);
            attempt.begin(() -> setup(target, local, attempt), Setup::connect);
            return attempt.connection(deadline);
        } catch (Throwable e) {
            attempt.withdraw(e);
            throw e;
        }
    }

    /**
     * Begins to connect {@code queuePair} to {@code peer}; if that fails the queue pair has failed, and is closed if
     * {@code owned}.
     */
    public PendingConnection begin(InetSocketAddress peer, IwarpQueuePair queuePair, boolean owned, Deadline deadline) {
        Attempt attempt = Attempt.of(cm, "connect", queuePair, owned, peer, options);
        try {
            PendingConnection pending = attempt.until(deadline);
            HostNames.whenResolved("connect", peer, target -> resolved(attempt, target), attempt::failEarly);
            return pending;
        } catch (Throwable e) {
            attempt.withdraw(e);
            throw e;
        }
    }

    private void resolved(Attempt attempt, InetSocketAddress target) {
        InetSocketAddress local = config.localAddress();
        if (local == null) {
            begin(attempt, target, null);
            return;
        }
        endedByFailure(
                attempt,
                () -> HostNames.whenResolved(
                        "connect", local, source -> begin(attempt, target, source), attempt::failEarly));
    }

    private void begin(Attempt attempt, InetSocketAddress target, @Nullable InetSocketAddress local) {
        endedByFailure(attempt, () -> attempt.begin(() -> setup(target, local, attempt), Setup::connect));
    }

    /** Makes {@code step}, whose failure nobody else hears of; it ends the attempt. */
    private static void endedByFailure(Attempt attempt, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            attempt.failEarly(e);
        } catch (Error e) {
            attempt.failEarly(new ConnectionException("connect", Reason.CLOSED, Setup.internal(e), e));
        }
    }

    private Setup setup(InetSocketAddress peer, @Nullable InetSocketAddress local, Attempt attempt) {
        boolean ipv4Only = HostAddresses.isIpv4Only();
        InetSocketAddress target = HostAddresses.destination("connect", peer, ipv4Only);
        InetSocketAddress source = local == null ? null : HostAddresses.source("connect", local, target, ipv4Only);
        Transport transport = cm.transports()
                .connecting(target, source, config.typeOfService(), config.tls(), options.sharedMemory());
        boolean made = false;
        try {
            StartupConfig wish = startup(cm.context().options(), config);
            Setup setup = Setup.initiator(cm.context().loop(), transport, target, wish, attempt);
            made = true;
            return setup;
        } finally {
            if (!made) {
                transport.close(false);
            }
        }
    }
}
