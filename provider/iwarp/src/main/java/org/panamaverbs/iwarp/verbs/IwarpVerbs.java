package org.panamaverbs.iwarp.verbs;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.EventQueue;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.cm.PendingConnection;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.DeviceAttributes;
import org.panamaverbs.api.device.DeviceAttributes.Entry;
import org.panamaverbs.api.device.DeviceInfo;
import org.panamaverbs.api.device.DeviceStatistics;
import org.panamaverbs.api.device.Port;
import org.panamaverbs.iwarp.engine.EventProgress;
import org.panamaverbs.iwarp.engine.IwarpCompletionChannel;
import org.panamaverbs.iwarp.engine.IwarpCompletionQueue;
import org.panamaverbs.iwarp.engine.IwarpProtectionDomain;
import org.panamaverbs.iwarp.engine.IwarpQueuePair;
import org.panamaverbs.iwarp.engine.Streams;
import org.panamaverbs.iwarp.engine.cm.CmContext;
import org.panamaverbs.iwarp.engine.cm.Connector;
import org.panamaverbs.iwarp.engine.cm.IwarpListener;
import org.panamaverbs.iwarp.engine.device.Context;
import org.panamaverbs.iwarp.engine.device.Device;
import org.panamaverbs.iwarp.engine.device.IwarpOption;
import org.panamaverbs.iwarp.engine.device.IwarpOptions;
import org.panamaverbs.iwarp.engine.device.SocketsReport;
import org.panamaverbs.iwarp.engine.transport.Transports;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.support.Known;
import org.panamaverbs.spi.support.MemberEventQueue;
import org.panamaverbs.spi.support.Ours;

/** The open device: what all objects of a context share. */
public final class IwarpVerbs extends ManagedResource implements Verbs {
    /** The provider's name. */
    public static final String PROVIDER = Device.PROVIDER;

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final String selection;
    private final SocketsReport socketsReport;
    private final Context context;
    private final Streams streams;
    private final CmContext cm;

    private IwarpVerbs(IwarpOptions options, SocketsReport socketsReport, String selection) {
        super("context " + COUNT.incrementAndGet() + " of device " + Device.NAME);
        this.socketsReport = socketsReport;
        Context begun = null;
        try {
            this.selection = selection + socketsReport.clause();
            begun = new Context(this, options);
            context = begun;
            streams = new Streams(begun);
            cm = new CmContext(begun, streams, new Transports(begun, socketsReport));
        } catch (RuntimeException | Error e) {
            if (begun != null) {
                begun.close();
            }
            abandon();
            throw e;
        }
    }

    /**
     * Opens the device.
     *
     * @throws IllegalArgumentException for another device or an unknown option, naming what there is
     */
    public static IwarpVerbs open(OpenConfig config, String selection) {
        IwarpOptions options = IwarpOptions.parse(config.options(), System.getProperties());
        Known.device(PROVIDER, List.of(Device.NAME), config);
        SocketsReport report = SocketsReport.of(options.get(IwarpOption.SOCKETS), options.namesSockets());
        return new IwarpVerbs(options, report.logged(), selection);
    }

    /** Describes the device without opening it. */
    public static DeviceInfo describeDevice() {
        return Device.describe();
    }

    @Override
    public String provider() {
        return PROVIDER;
    }

    @Override
    public String selection() {
        return selection;
    }

    @Override
    public DeviceInfo device() {
        return Device.describe();
    }

    @Override
    public Port port(int number) {
        requireOpen();
        return Verbs.super.port(number);
    }

    @Override
    public Capabilities capabilities() {
        return Device.CAPABILITIES;
    }

    /**
     * Returns how TCP is reached: {@code sockets}, and {@code sockets_reason} where that is the slower way unasked; and
     * whether memory can be shared with peers of this host: {@code shm}, and {@code shm_reason} where it cannot.
     */
    @Override
    public DeviceAttributes attributes() {
        List<Entry> all = new ArrayList<>(socketsReport.attributes().device());
        all.addAll(context.options().sharedMemory().attributes());
        return new DeviceAttributes(all, List.of());
    }

    @Override
    public DeviceStatistics statistics() {
        return context.watch().statistics();
    }

    @Override
    public ProtectionDomain protectionDomain() {
        requireOpen();
        return context.domains().counted(() -> new IwarpProtectionDomain(streams, context.nextNumber()));
    }

    @Override
    public CompletionQueue completionQueue(CompletionQueueConfig config) {
        requireOpen();
        // Completions always have all fields of the device, and queues are safe for any threads.
        Device.LIMITS.check(config);
        IwarpCompletionChannel channel = Ours.orNull(
                "completion channel",
                config.channel(),
                IwarpCompletionChannel.class,
                IwarpCompletionChannel::device,
                this);
        return context.completionQueues()
                .counted(() -> new IwarpCompletionQueue(streams, context.nextNumber(), config.capacity(), channel));
    }

    @Override
    public CompletionChannel completionChannel() {
        requireOpen();
        return new IwarpCompletionChannel(streams, context.nextNumber());
    }

    @Override
    public Connection connect(
            InetSocketAddress address, QueuePair queuePair, ConnectionConfig config, Deadline deadline) {
        requireOpen();
        return new Connector(cm, config).connect(address, IwarpQueuePair.own(queuePair, context), false, deadline);
    }

    @Override
    public Connection connect(
            InetSocketAddress address, QueuePairConfig queuePair, ConnectionConfig config, Deadline deadline) {
        requireOpen();
        Connector connector = new Connector(cm, config);
        return connector.connect(address, IwarpProtectionDomain.create(queuePair, context), true, deadline);
    }

    @Override
    public PendingConnection beginConnect(
            InetSocketAddress address, QueuePair queuePair, ConnectionConfig config, Deadline deadline) {
        requireOpen();
        return new Connector(cm, config).begin(address, IwarpQueuePair.own(queuePair, context), false, deadline);
    }

    @Override
    public PendingConnection beginConnect(
            InetSocketAddress address, QueuePairConfig queuePair, ConnectionConfig config, Deadline deadline) {
        requireOpen();
        Connector connector = new Connector(cm, config);
        return connector.begin(address, IwarpProtectionDomain.create(queuePair, context), true, deadline);
    }

    @Override
    public EventQueue eventQueue() {
        requireOpen();
        return new MemberEventQueue(
                "event queue " + context.nextNumber(),
                this,
                context.events().member(),
                new EventProgress(streams.progress()));
    }

    @Override
    public Listener listen(InetSocketAddress address, ListenerConfig config) {
        requireOpen();
        return IwarpListener.open(cm, address, config);
    }

    @Override
    public Optional<AsyncEvent> asyncEvent(Deadline deadline) {
        requireOpen();
        return context.events().take(deadline, streams.progress()::awaitEvent);
    }

    /** Returns what its objects share. */
    public Context context() {
        return context;
    }

    /** Returns its streams. */
    public Streams streams() {
        return streams;
    }

    @Override
    protected void release() {
        try {
            context.close();
        } finally {
            try {
                cm.transports().close();
            } finally {
                streams.progress().close();
            }
        }
    }
}
