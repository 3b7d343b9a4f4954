package org.panamaverbs.ibverbs.datagram;

import java.net.InetSocketAddress;
import java.util.Optional;
import org.panamaverbs.api.DatagramListener;
import org.panamaverbs.api.DatagramRequest;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.ibverbs.cm.CmContext;
import org.panamaverbs.ibverbs.cm.CmId;
import org.panamaverbs.ibverbs.cm.IncomingRequest;
import org.panamaverbs.ibverbs.connect.IbvListener;

/** Waits for requests in {@code RDMA_PS_UDP}. */
record IbvDatagramListener(CmContext manager, IbvListener listener) implements DatagramListener {
    @Override
    public InetSocketAddress localAddress() {
        return listener.localAddress();
    }

    @Override
    public Optional<DatagramRequest> poll(Deadline deadline) {
        CmId.Incoming request = listener.next(deadline);
        return request == null ? Optional.empty() : IncomingRequest.open(manager, request, IbvDatagramRequest::new);
    }

    @Override
    public void close() {
        listener.close();
    }
}
