package org.panamaverbs.iwarp;

import java.net.InetSocketAddress;
import java.util.Optional;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.Capabilities;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.Connection;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeviceInfo;
import org.panamaverbs.api.EventQueue;
import org.panamaverbs.api.Listener;
import org.panamaverbs.api.ListenerConfig;
import org.panamaverbs.api.PendingConnection;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.TlsConfig;
import org.panamaverbs.api.Verbs;

/**
 * A device all of whose connections are under TLS, whatever their configurations say.
 *
 * @param verbs the device
 * @param connecting how it connects
 * @param listening how it listens
 */
record TlsVerbs(Verbs verbs, TlsConfig connecting, TlsConfig listening) implements Verbs {
    @Override
    public Connection connect(
            InetSocketAddress address, QueuePair queuePair, ConnectionConfig config, Deadline deadline) {
        return verbs.connect(address, queuePair, config.withTls(connecting), deadline);
    }

    @Override
    public Connection connect(
            InetSocketAddress address, QueuePairConfig queuePair, ConnectionConfig config, Deadline deadline) {
        return verbs.connect(address, queuePair, config.withTls(connecting), deadline);
    }

    @Override
    public PendingConnection beginConnect(
            InetSocketAddress address, QueuePair queuePair, ConnectionConfig config, Deadline deadline) {
        return verbs.beginConnect(address, queuePair, config.withTls(connecting), deadline);
    }

    @Override
    public PendingConnection beginConnect(
            InetSocketAddress address, QueuePairConfig queuePair, ConnectionConfig config, Deadline deadline) {
        return verbs.beginConnect(address, queuePair, config.withTls(connecting), deadline);
    }

    @Override
    public EventQueue eventQueue() {
        return verbs.eventQueue();
    }

    @Override
    public Listener listen(InetSocketAddress address, ListenerConfig config) {
        return verbs.listen(address, config.withTls(listening));
    }

    @Override
    public String provider() {
        return verbs.provider();
    }

    @Override
    public String selection() {
        return verbs.selection();
    }

    @Override
    public DeviceInfo device() {
        return verbs.device();
    }

    @Override
    public Capabilities capabilities() {
        return verbs.capabilities();
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return verbs.protectionDomain();
    }

    @Override
    public CompletionQueue completionQueue(CompletionQueueConfig config) {
        return verbs.completionQueue(config);
    }

    @Override
    public CompletionChannel completionChannel() {
        return verbs.completionChannel();
    }

    @Override
    public Optional<AsyncEvent> asyncEvent(Deadline deadline) {
        return verbs.asyncEvent(deadline);
    }

    @Override
    public void close() {
        verbs.close();
    }
}
