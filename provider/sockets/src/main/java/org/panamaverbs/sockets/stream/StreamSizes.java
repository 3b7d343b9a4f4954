package org.panamaverbs.sockets.stream;

import org.panamaverbs.sockets.rsocket.ConnectData;

/**
 * How much memory a stream has.
 *
 * @param receiveBytes bytes of half of the ring that the peer writes, from 1,024; a stream has two of them
 * @param sendBytes bytes of the ring of what is sent, from 4,096
 * @param iomapEntries mappings that the peer may tell of, 0 to {@value #MOST_IOMAPS}; from 129 on 128 or a multiple of
 *     256, since no other number can be told
 */
public record StreamSizes(int receiveBytes, int sendBytes, int iomapEntries) {
    /** Mappings at most. */
    public static final int MOST_IOMAPS = ConnectData.MOST_IOMAPS;

    /** Messages that may come at once, as C has it: an adapter goes on by itself, and gives back none of its memory. */
    static final int ADAPTER_CREDITS = 384;

    /** Messages that may come at once with software: with the receives beyond them a power of two, as queues are. */
    static final int CREDITS = 112;

    /** Receives beyond the credits, for messages without one. */
    static final int MORE_RECEIVES = 16;

    /** Sends that may be outstanding, as C has it. */
    static final int ADAPTER_SENDS = 384;

    /** Sends that may be outstanding with software: they are done when the provider has taken them. */
    static final int SENDS = 64;

    private static final int LEAST_RECEIVE = 1024;
    private static final int LEAST_SEND = 4096;
    private static final int MOST = 1 << 28;

    /** Raises what is below the least and lowers what is above the most. */
    public StreamSizes {
        receiveBytes = Math.clamp(receiveBytes, LEAST_RECEIVE, MOST);
        sendBytes = Math.clamp(sendBytes, LEAST_SEND, MOST);
        iomapEntries = ConnectData.countedIomaps(Math.clamp(iomapEntries, 0, MOST_IOMAPS));
    }

    /** Has no mappings of the peer. */
    StreamSizes(int receiveBytes, int sendBytes) {
        this(receiveBytes, sendBytes, 0);
    }

    /** Returns what C has: a ring of twice 65,536 bytes, and one of 131,072. */
    public static StreamSizes defaults() {
        return new StreamSizes(65_536, 131_072);
    }
}
