package org.panamaverbs.sockets.tcp;

import java.net.SocketOption;

/** How many mappings the peer may tell of, as C names that option of a socket. */
public enum IomapSize implements SocketOption<Integer> {
    /** The only one. */
    RDMA_IOMAPSIZE;

    @Override
    public Class<Integer> type() {
        return Integer.class;
    }
}
