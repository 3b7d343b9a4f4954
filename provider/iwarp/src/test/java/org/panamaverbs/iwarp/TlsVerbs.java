package org.panamaverbs.iwarp;

import java.net.InetSocketAddress;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.cm.PendingConnection;
import org.panamaverbs.api.cm.TlsConfig;

/** A device all of whose connections are under TLS, whatever their configurations say. */
final class TlsVerbs extends ConnectingVerbs {
    private final TlsConfig connecting;
    private final TlsConfig listening;

    TlsVerbs(Verbs verbs, TlsConfig connecting, TlsConfig listening) {
        super(verbs);
        this.connecting = connecting;
        this.listening = listening;
    }

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
    public Listener listen(InetSocketAddress address, ListenerConfig config) {
        return verbs.listen(address, config.withTls(listening));
    }
}
