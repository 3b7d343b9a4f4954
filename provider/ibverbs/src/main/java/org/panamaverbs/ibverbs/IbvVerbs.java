package org.panamaverbs.ibverbs;

import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.EventQueue;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.DatagramListener;
import org.panamaverbs.api.cm.DatagramPeer;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.cm.MulticastConfig;
import org.panamaverbs.api.cm.MulticastMembership;
import org.panamaverbs.api.cm.PendingConnection;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.DeviceAttributes;
import org.panamaverbs.api.device.DeviceClock;
import org.panamaverbs.api.device.DeviceInfo;
import org.panamaverbs.api.device.DeviceStatistics;
import org.panamaverbs.api.device.Port;
import org.panamaverbs.api.ext.Adoption;
import org.panamaverbs.api.ext.DeviceMemory;
import org.panamaverbs.api.ext.FlowCounters;
import org.panamaverbs.api.ext.NativeObject;
import org.panamaverbs.api.ext.ObjectSharing;
import org.panamaverbs.api.ext.ThreadDomain;
import org.panamaverbs.api.ext.XrcDevice;
import org.panamaverbs.api.ext.XrcDomain;
import org.panamaverbs.api.ext.XrcDomainConfig;
import org.panamaverbs.ibverbs.cm.CmContext;
import org.panamaverbs.ibverbs.completion.ChannelWait;
import org.panamaverbs.ibverbs.completion.CompletionQueueMaker;
import org.panamaverbs.ibverbs.completion.IbvCompletionChannel;
import org.panamaverbs.ibverbs.connect.IbvConnectionManager;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.context.IbvDeviceClock;
import org.panamaverbs.ibverbs.datagram.IbvDatagrams;
import org.panamaverbs.ibverbs.device.OpenedDevice;
import org.panamaverbs.ibverbs.facts.Counters;
import org.panamaverbs.ibverbs.facts.Sysfs;
import org.panamaverbs.ibverbs.memory.IbvDeviceMemory;
import org.panamaverbs.ibverbs.queuepair.IbvFlowCounters;
import org.panamaverbs.ibverbs.queuepair.IbvObjectSharing;
import org.panamaverbs.ibverbs.queuepair.IbvProtectionDomain;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;
import org.panamaverbs.ibverbs.queuepair.IbvThreadDomain;
import org.panamaverbs.ibverbs.xrc.IbvXrcDomain;
import org.panamaverbs.spi.support.Creation;
import org.panamaverbs.spi.support.EventMember;
import org.panamaverbs.spi.support.MemberEventQueue;

/** An open device: the verbs objects of its context and its connection manager. */
final class IbvVerbs implements Verbs, XrcDevice, NativeObject, EventMember.Source {
    /** The provider's name. */
    static final String PROVIDER = "ibverbs";

    private final IbvContext context;
    private final DeviceInfo device;
    private final String selection;
    private final CmContext cm;
    private final IbvConnectionManager connections;
    private final IbvDatagrams datagrams;

    /** Takes over {@code context}, which is closed with this. */
    IbvVerbs(IbvContext context, DeviceInfo device, String selection) {
        this.context = context;
        this.device = device;
        this.selection = selection;
        cm = new CmContext(context, device);
        connections = new IbvConnectionManager(cm);
        datagrams = new IbvDatagrams(cm);
        context.attach(this, cm::close);
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
        return device;
    }

    @Override
    public Port port(int number) {
        context.requireOpen();
        device.requirePort(number);
        return new IbvPort(context, number, Sysfs.system());
    }

    @Override
    public Capabilities capabilities() {
        return context.capabilities();
    }

    @Override
    public DeviceAttributes attributes() {
        return context.query(OpenedDevice::attributes);
    }

    @Override
    public SortedMap<String, Long> counters() {
        context.requireOpen();
        return Counters.of(context.device());
    }

    @Override
    public DeviceStatistics statistics() {
        return context.watch().statistics();
    }

    @Override
    public DeviceClock clock() {
        return IbvDeviceClock.of(context);
    }

    @Override
    public ThreadDomain threadDomain() {
        return IbvThreadDomain.create(context);
    }

    @Override
    public DeviceMemory deviceMemory(long bytes, int logAlignment) {
        return IbvDeviceMemory.allocate(context, bytes, logAlignment);
    }

    @Override
    public FlowCounters flowCounters(FlowCounters.Kind... kinds) {
        return IbvFlowCounters.create(context, List.of(kinds));
    }

    @Override
    public XrcDomain openXrcDomain(XrcDomainConfig config) {
        return IbvXrcDomain.open(context, config);
    }

    @Override
    public ObjectSharing sharing() {
        return new IbvObjectSharing(context);
    }

    @Override
    public <R> R withNative(Function<MemorySegment, R> use) {
        return context.query(handle -> use.apply(MemorySegment.ofAddress(handle.address())));
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return IbvProtectionDomain.create(context);
    }

    @Override
    public CompletionQueue completionQueue(CompletionQueueConfig config) {
        return CompletionQueueMaker.make(context, config);
    }

    @Override
    public CompletionQueue adopt(Adoption adoption, CompletionQueueConfig config) {
        return CompletionQueueMaker.adopt(context, adoption, config);
    }

    @Override
    public CompletionChannel completionChannel() {
        return IbvCompletionChannel.create(context);
    }

    @Override
    public Connection connect(
            InetSocketAddress address, QueuePair queuePair, ConnectionConfig config, Deadline deadline) {
        context.requireOpen();
        return connections.connect(address, IbvQueuePair.own(queuePair, context), false, config, deadline);
    }

    @Override
    public Connection connect(
            InetSocketAddress address, QueuePairConfig queuePair, ConnectionConfig config, Deadline deadline) {
        context.requireOpen();
        IbvProtectionDomain domain = IbvProtectionDomain.own(queuePair.domain(), context);
        return connections.connect(address, domain.create(queuePair), true, config, deadline);
    }

    @Override
    public PendingConnection beginConnect(
            InetSocketAddress address, QueuePair queuePair, ConnectionConfig config, Deadline deadline) {
        context.requireOpen();
        return connections.begin(address, IbvQueuePair.own(queuePair, context), false, config, deadline);
    }

    @Override
    public PendingConnection beginConnect(
            InetSocketAddress address, QueuePairConfig queuePair, ConnectionConfig config, Deadline deadline) {
        context.requireOpen();
        IbvProtectionDomain domain = IbvProtectionDomain.own(queuePair.domain(), context);
        return connections.begin(address, domain.create(queuePair), true, config, deadline);
    }

    @Override
    public EventQueue eventQueue() {
        context.requireOpen();
        return Creation.of(
                ChannelWait::open,
                wait -> new MemberEventQueue(
                        "event queue " + context.nextNumber(), context, context.asyncEvents(), wait),
                ChannelWait::close);
    }

    @Override
    public Listener listen(InetSocketAddress address, ListenerConfig config) {
        context.requireOpen();
        return connections.listen(address, config);
    }

    @Override
    public Listener listen(InetSocketAddress address, ListenerConfig config, List<Verbs> others) {
        context.requireOpen();
        List<CmContext> managers = new ArrayList<>();
        for (Verbs other : others) {
            if (!(other instanceof IbvVerbs its)) {
                throw new IllegalArgumentException(
                        "listen: device " + other.device().name() + " of provider "
                                + other.provider() + " is not of provider " + PROVIDER
                                + "; remedy: listen with that device by itself");
            }
            managers.add(its.cm);
        }
        return connections.listen(address, config, managers);
    }

    @Override
    public DatagramPeer connectDatagrams(
            InetSocketAddress address, QueuePair queuePair, ConnectionConfig config, Deadline deadline) {
        context.requireOpen();
        return datagrams.connect(address, queuePair, config, deadline);
    }

    @Override
    public DatagramListener listenDatagrams(InetSocketAddress address, ListenerConfig config) {
        context.requireOpen();
        return datagrams.listen(address, config);
    }

    @Override
    public MulticastMembership joinMulticast(
            InetAddress group, QueuePair queuePair, MulticastConfig config, Deadline deadline) {
        context.requireOpen();
        return datagrams.join(group, queuePair, config, deadline);
    }

    @Override
    public EventMember asyncEvents() {
        return context.asyncEvents();
    }

    @Override
    public Optional<AsyncEvent> asyncEvent(Deadline deadline) {
        return context.asyncEvent(deadline);
    }

    @Override
    public void close() {
        context.close();
    }

    @Override
    public String toString() {
        return context.toString();
    }
}
