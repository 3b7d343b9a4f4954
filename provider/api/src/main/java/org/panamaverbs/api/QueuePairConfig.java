package org.panamaverbs.api;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.config.Fields;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.ext.ExtendedSendQueue;
import org.panamaverbs.memory.Access;

/**
 * What a queue pair is created with, {@code struct ibv_qp_init_attr}. Start with {@link #of} and change what differs:
 * each {@code with} method returns a copy. Immutable; fields may be added.
 */
public final class QueuePairConfig implements Cloneable {
    private static final Set<Feature> SEND_OPS = Set.of(Feature.ATOMIC_WRITE, Feature.FLUSH);
    private static final Set<Access> REMOTE = Set.copyOf(EnumSet.of(
            Access.REMOTE_WRITE,
            Access.REMOTE_READ,
            Access.REMOTE_ATOMIC,
            Access.FLUSH_GLOBAL,
            Access.FLUSH_PERSISTENT));
    private static final int MAX_PORT = 0xFF;
    private static final Fields<QueuePairConfig> FIELDS = new Fields<>(
            QueuePairConfig.class,
            QueuePairConfig::check,
            fields -> fields.and("domain", config -> config.domain)
                    .and("sendCq", config -> config.sendCq)
                    .and("recvCq", config -> config.recvCq)
                    .and("srq", config -> config.srq)
                    .and("type", config -> config.type)
                    .and("maxSendWr", config -> config.maxSendWr)
                    .and("maxRecvWr", config -> config.maxRecvWr)
                    .and("maxSendSge", config -> config.maxSendSge)
                    .and("maxRecvSge", config -> config.maxRecvSge)
                    .and("maxInlineBytes", config -> config.maxInlineBytes)
                    .and("signalAll", config -> config.signalAll)
                    .and("attachment", config -> config.attachment)
                    .and("sendOps", config -> config.sendOps)
                    .and("access", config -> config.access)
                    .and("port", config -> config.port)
                    .and("flags", config -> config.flags));

    private final ProtectionDomain domain;
    private CompletionQueue sendCq;
    private CompletionQueue recvCq;
    private @Nullable SharedReceiveQueue srq;
    private QueuePairType type = QueuePairType.RC;
    private int maxSendWr = 128;
    private int maxRecvWr = 128;
    private int maxSendSge = 4;
    private int maxRecvSge = 4;
    private int maxInlineBytes = 64;
    private boolean signalAll;
    private @Nullable Object attachment;
    private Set<Feature> sendOps = Set.of();
    private Set<Access> access = Set.of();
    private int port;
    private Set<QueuePairFlag> flags = Set.of();

    private QueuePairConfig(ProtectionDomain domain, CompletionQueue queue) {
        this.domain = domain;
        sendCq = queue;
        recvCq = queue;
    }

    /**
     * Returns a reliable queue pair of 128 sends and receives with 4 SGEs each and 64 inline bytes on one CQ: what
     * every known device with reliable connections has, the least being the 80 inline bytes of Linux siw. Another
     * {@link #withType} may have less: {@link Capabilities#maxInlineBytes(QueuePairType)}.
     */
    public static QueuePairConfig of(ProtectionDomain domain, CompletionQueue queue) {
        return FIELDS.made(new QueuePairConfig(domain, queue));
    }

    /** Returns the protection domain, {@code pd} of {@code ibv_create_qp(3)}. */
    public ProtectionDomain domain() {
        return domain;
    }

    /** Returns the queue where sends complete, {@code send_cq}. */
    public CompletionQueue sendCq() {
        return sendCq;
    }

    /** Returns a copy with sends completing in {@code queue}. */
    public QueuePairConfig withSendCq(CompletionQueue queue) {
        return with(copy -> copy.sendCq = queue);
    }

    /** Returns the queue where receives complete, {@code recv_cq}. */
    public CompletionQueue recvCq() {
        return recvCq;
    }

    /** Returns a copy with receives completing in {@code queue}. */
    public QueuePairConfig withRecvCq(CompletionQueue queue) {
        return with(copy -> copy.recvCq = queue);
    }

    /** Returns where receives come from, {@code srq}; null, the default, for the queue pair's own receive queue. */
    public @Nullable SharedReceiveQueue srq() {
        return srq;
    }

    /** Returns a copy with receives taken from {@code queue}. */
    public QueuePairConfig withSrq(SharedReceiveQueue queue) {
        return with(copy -> copy.srq = queue);
    }

    /** Returns the service, {@code qp_type}; {@link QueuePairType#RC} by default. */
    public QueuePairType type() {
        return type;
    }

    /** Returns a copy with another service. */
    public QueuePairConfig withType(QueuePairType newType) {
        return with(copy -> copy.type = newType);
    }

    /**
     * Returns the number of outstanding sends, {@code cap.max_send_wr}: 1 to {@link Capabilities#maxQpWr()}, 128 by
     * default. A send is outstanding until its completion, or that of a later one, is polled.
     */
    public int maxSendWr() {
        return maxSendWr;
    }

    /**
     * Returns the number of outstanding receives, {@code cap.max_recv_wr}: 0 to {@link Capabilities#maxQpWr()}, 128 by
     * default; ignored with a shared receive queue.
     */
    public int maxRecvWr() {
        return maxRecvWr;
    }

    /** Returns a copy with room for {@code send} sends and {@code recv} receives. */
    public QueuePairConfig withDepth(int send, int recv) {
        return with(copy -> {
            copy.maxSendWr = send;
            copy.maxRecvWr = recv;
        });
    }

    /** Returns the SGEs per send, {@code cap.max_send_sge}: 1 to {@link Capabilities#maxSge()}, 4 by default. */
    public int maxSendSge() {
        return maxSendSge;
    }

    /** Returns the SGEs per receive, {@code cap.max_recv_sge}: 1 to {@link Capabilities#maxSge()}, 4 by default. */
    public int maxRecvSge() {
        return maxRecvSge;
    }

    /** Returns a copy with up to {@code send} SGEs per send and {@code recv} per receive. */
    public QueuePairConfig withSge(int send, int recv) {
        return with(copy -> {
            copy.maxSendSge = send;
            copy.maxRecvSge = recv;
        });
    }

    /**
     * Returns the inline bytes of a send, {@code cap.max_inline_data}: 0 to
     * {@link Capabilities#maxInlineBytes(QueuePairType)}, 64 by default.
     */
    public int maxInlineBytes() {
        return maxInlineBytes;
    }

    /** Returns a copy with up to {@code bytes} inline bytes. */
    public QueuePairConfig withInline(int bytes) {
        return with(copy -> copy.maxInlineBytes = bytes);
    }

    /** Returns whether every send is signaled whatever its flags, {@code sq_sig_all}; false by default. */
    public boolean signalAll() {
        return signalAll;
    }

    /** Returns a copy with every send signaled, or only those with the flag. */
    public QueuePairConfig withSignalAll(boolean all) {
        return with(copy -> copy.signalAll = all);
    }

    /**
     * Returns the object that the queue pair's completions give back ({@link WorkCompletion#attachment()}); null, the
     * default, for none. The completion queues keep it reachable until the queue pair is closed and its last completion
     * there is polled. If it refers to the queue pair, as a connection of the application's does, a queue pair that was
     * lost without being closed stays reachable as long as its completion queues, and is not reported as a leak.
     */
    public @Nullable Object attachment() {
        return attachment;
    }

    /** Returns a copy whose completions return {@code object} as their attachment; null for none. */
    public QueuePairConfig withAttachment(@Nullable Object object) {
        return with(copy -> copy.attachment = object);
    }

    /**
     * Returns what the queue pair can post beyond what all queue pairs can ({@link ExtendedSendQueue}),
     * {@code send_ops_flags} of {@code struct ibv_qp_init_attr_ex}: none, the default, or some of
     * {@link Feature#ATOMIC_WRITE} and {@link Feature#FLUSH}; type {@link QueuePairType#RC}. Unmodifiable.
     */
    public Set<Feature> sendOps() {
        return sendOps;
    }

    /**
     * Returns a copy that can post {@code operations} as well, {@link ExtendedSendQueue}; the device must have them.
     *
     * @throws IllegalArgumentException if that is not some of {@link Feature#ATOMIC_WRITE} and {@link Feature#FLUSH}
     */
    public QueuePairConfig withSendOps(Feature... operations) {
        return with(copy -> copy.sendOps = Set.of(operations));
    }

    /**
     * Returns what the peer may do over this queue pair, {@code qp_access_flags} of {@code struct ibv_qp_attr}: some of
     * {@link Access#REMOTE_WRITE}, {@link Access#REMOTE_READ}, {@link Access#REMOTE_ATOMIC},
     * {@link Access#FLUSH_GLOBAL} and {@link Access#FLUSH_PERSISTENT}; none by default. A request of the peer needs the
     * right here and of the registration or memory window; otherwise it fails with
     * {@link WcStatus#REMOTE_ACCESS_ERROR}. What the device does not offer to peers is without effect. Sends need no
     * right. Unmodifiable.
     *
     * <p>{@link QueuePairAttributes.Field#ACCESS} changes it later, where queue pairs are connected out of band. Not
     * every driver of {@code ibverbs} enforces it: those of iWARP, irdma also on RoCE, and older bnxt_re check the
     * rights of registrations alone (read in their sources).
     */
    public Set<Access> access() {
        return access;
    }

    /**
     * Returns a copy that grants the peer only {@code rights}, those of its one-sided requests; none if none are given.
     *
     * @throws IllegalArgumentException if one of them is not a right of peers
     */
    public QueuePairConfig withAccess(Access... rights) {
        return with(copy -> copy.access = Set.copyOf(List.of(rights)));
    }

    /** Returns a copy that grants the peer every right of {@link #access()}: registrations alone decide. */
    public QueuePairConfig withAllRemoteAccess() {
        return with(copy -> copy.access = REMOTE);
    }

    /**
     * Returns the port that the queue pair is on, {@code port_num} of {@code struct ibv_qp_attr}: 1 to 255, or 0, the
     * default, for the first active port of the device. A created queue pair ({@link QueuePair#config()}) has the port
     * it got, 0 where queue pairs are on none. {@link Verbs#connect} moves the queue pair to the port of the route.
     * Needs {@link Feature#OUT_OF_BAND}.
     */
    public int port() {
        return port;
    }

    /**
     * Returns a copy on port {@code number}, 0 for the first active one.
     *
     * @throws IllegalArgumentException if it is not 0 to 255
     */
    public QueuePairConfig withPort(int number) {
        return with(copy -> copy.port = number);
    }

    /** Returns {@code create_flags} of {@code struct ibv_qp_init_attr_ex}; none by default. Unmodifiable. */
    public Set<QueuePairFlag> flags() {
        return flags;
    }

    /** Returns a copy with {@code newFlags}; device and type must have them, {@link QueuePairFlag}. */
    public QueuePairConfig withFlags(QueuePairFlag... newFlags) {
        return with(copy -> copy.flags = Set.copyOf(List.of(newFlags)));
    }

    private QueuePairConfig with(Consumer<QueuePairConfig> change) {
        return FIELDS.changed(super::clone, change);
    }

    private void check() {
        if (!SEND_OPS.containsAll(sendOps)) {
            throw new IllegalArgumentException("withSendOps: only " + SEND_OPS + " can be requested, got " + sendOps);
        }
        if (!REMOTE.containsAll(access)) {
            throw new IllegalArgumentException("queue pair access " + access + ": only " + REMOTE
                    + " can be granted to peers; remedy: leave the others out, and grant local rights when memory is"
                    + " registered");
        }
        if (port < 0 || port > MAX_PORT) {
            throw new IllegalArgumentException(
                    "port must be 1 to " + MAX_PORT + ", or 0 for the first active, got " + port);
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return FIELDS.equal(this, other);
    }

    @Override
    public int hashCode() {
        return FIELDS.hash(this);
    }

    @Override
    public String toString() {
        return FIELDS.toString(this);
    }
}
