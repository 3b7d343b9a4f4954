package org.panamaverbs.ibverbs.cm;

import java.net.InetSocketAddress;
import java.util.Optional;
import org.panamaverbs.api.DatagramListener;
import org.panamaverbs.api.DatagramRequest;
import org.panamaverbs.api.Deadline;

/** Waits for requests in {@code RDMA_PS_UDP}. */
record IbvDatagramListener(IbvConnectionManager manager, IbvListener listener) implements DatagramListener {
    @Override
    public InetSocketAddress localAddress() {
        return listener.localAddress();
    }

    @Override
    public Optional<DatagramRequest> poll(Deadline deadline) {
        CmChannel.Incoming request = listener.next(deadline);
        return request == null ? Optional.empty() : IncomingRequest.open(manager, request, IbvDatagramRequest::new);
    }

    @Override
    public void close() {
        listener.close();
    }
}
