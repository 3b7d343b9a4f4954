package org.panamaverbs.ibverbs.datagram;

import java.net.InetSocketAddress;
import java.util.Optional;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.cm.DatagramListener;
import org.panamaverbs.api.cm.DatagramRequest;
import org.panamaverbs.ibverbs.connect.IbvListener;

/** Waits for requests in {@code RDMA_PS_UDP}. */
record IbvDatagramListener(IbvListener listener) implements DatagramListener {
    @Override
    public InetSocketAddress localAddress() {
        return listener.localAddress();
    }

    @Override
    public Optional<DatagramRequest> poll(Deadline deadline) {
        return listener.poll(deadline, IbvDatagramRequest::new);
    }

    @Override
    public void close() {
        listener.close();
    }
}
