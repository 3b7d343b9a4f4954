package org.panamaverbs.disni;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import com.ibm.disni.verbs.RdmaEventChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Two sides in one process, connected by DiSNI's raw verbs over the loopback. */
final class Pair implements AutoCloseable {
    final Side client;
    final Side server;
    private final RdmaEventChannel listenerEvents;
    private final RdmaCmId listener;

    private Pair(Side client, Side server, RdmaEventChannel listenerEvents, RdmaCmId listener) {
        this.client = client;
        this.server = server;
        this.listenerEvents = listenerEvents;
        this.listener = listener;
    }

    /** A listener at a free port. */
    record Listening(RdmaEventChannel events, RdmaCmId id) {
        static Listening at(InetAddress address) throws IOException {
            RdmaEventChannel events = RdmaEventChannel.createEventChannel();
            RdmaCmId id = events.createId(RdmaCm.RDMA_PS_TCP);
            id.bindAddr(new InetSocketAddress(address, 0));
            id.listen(10);
            return new Listening(events, id);
        }

        InetSocketAddress address() throws IOException {
            return (InetSocketAddress) id.getSource();
        }

        void close() throws IOException {
            id.destroyId();
            events.destroyEventChannel();
        }
    }

    /** Makes a side whose address and route are resolved. */
    static Side resolved(InetSocketAddress address) throws IOException {
        RdmaEventChannel events = RdmaEventChannel.createEventChannel();
        RdmaCmId id = events.createId(RdmaCm.RDMA_PS_TCP);
        id.resolveAddr(null, address, 1000);
        Side.expect(events, EventType.RDMA_CM_EVENT_ADDR_RESOLVED);
        id.resolveRoute(1000);
        Side.expect(events, EventType.RDMA_CM_EVENT_ROUTE_RESOLVED);
        return new Side(events, id);
    }

    static Pair connected() throws IOException {
        return connected(InetAddress.ofLiteral("127.0.0.1"));
    }

    static Pair connected(InetAddress address) throws IOException {
        Listening listening = Listening.at(address);
        Side client = resolved(listening.address());
        client.id.connect(new RdmaConnParam());
        RdmaCmEvent request = Side.expect(listening.events(), EventType.RDMA_CM_EVENT_CONNECT_REQUEST);
        Side server = new Side(listening.events(), request.getConnIdPriv());
        server.id.accept(new RdmaConnParam());
        server.expect(EventType.RDMA_CM_EVENT_ESTABLISHED);
        client.expect(EventType.RDMA_CM_EVENT_ESTABLISHED);
        return new Pair(client, server, listening.events(), listening.id());
    }

    /** Disconnects the client's side and waits until both know. */
    void disconnect() throws IOException {
        client.id.disconnect();
        client.expect(EventType.RDMA_CM_EVENT_DISCONNECTED);
        server.expect(EventType.RDMA_CM_EVENT_DISCONNECTED);
    }

    RdmaEventChannel listenerEvents() {
        return listenerEvents;
    }

    @Override
    public void close() throws IOException {
        listener.destroyId();
        client.destroy();
        server.destroy();
    }
}
