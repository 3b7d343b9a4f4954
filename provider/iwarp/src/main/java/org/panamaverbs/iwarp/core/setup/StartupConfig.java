package org.panamaverbs.iwarp.core.setup;

/**
 * What a side wants of a connection.
 *
 * @param crc whether it wants the CRC
 * @param markers whether it wants to receive markers
 * @param revision the MPA revision of a request, 1 or 2; the highest a responder takes
 * @param peerToPeer whether an initiator opens with a ready-to-receive message (RFC 6581 §9.2)
 * @param ird Reads and Atomics of the peer that it takes, 0 to 16382
 * @param ord Reads and Atomics that it wants to have outstanding, 0 to 16382
 * @param maxIrd how far a responder may raise {@code ird} to what the peer wants
 * @param rtrWrite whether it knows the zero-length Write as ready-to-receive message
 * @param rtrRead whether it knows the zero-length Read
 * @param rtrSend whether it knows the zero-length Send
 * @param privateData for the peer's application
 */
// The array is copied on the way in and out.
@SuppressWarnings("ArrayRecordComponent")
public record StartupConfig(
        boolean crc,
        boolean markers,
        int revision,
        boolean peerToPeer,
        int ird,
        int ord,
        int maxIrd,
        boolean rtrWrite,
        boolean rtrRead,
        boolean rtrSend,
        byte[] privateData) {
    /** Copies the private data. */
    public StartupConfig {
        privateData = privateData.clone();
    }

    /** Returns a copy of the private data. */
    @Override
    public byte[] privateData() {
        return privateData.clone();
    }

    /** Returns one that wants neither CRC nor markers. */
    public StartupConfig withoutCrcAndMarkers() {
        return new StartupConfig(
                false, false, revision, peerToPeer, ird, ord, maxIrd, rtrWrite, rtrRead, rtrSend, privateData);
    }
}
