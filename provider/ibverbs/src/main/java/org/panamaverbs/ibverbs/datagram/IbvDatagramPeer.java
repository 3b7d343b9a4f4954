package org.panamaverbs.ibverbs.datagram;

import java.net.InetSocketAddress;
import org.panamaverbs.api.AddressHandle;
import org.panamaverbs.api.cm.DatagramPeer;
import org.panamaverbs.ibverbs.cm.SocketAddresses;

/** A peer that has said where it takes datagrams. */
// The array is copied on the way out.
@SuppressWarnings("ArrayRecordComponent")
record IbvDatagramPeer(
        AddressHandle addressHandle,
        int qpNumber,
        int qkey,
        InetSocketAddress localAddress,
        InetSocketAddress remoteAddress,
        byte[] privateData)
        implements DatagramPeer {
    @Override
    public byte[] privateData() {
        return privateData.clone();
    }

    @Override
    public void close() {
        addressHandle.close();
    }

    @Override
    public String toString() {
        return "datagrams to queue pair " + qpNumber + " of " + SocketAddresses.text(remoteAddress);
    }
}
