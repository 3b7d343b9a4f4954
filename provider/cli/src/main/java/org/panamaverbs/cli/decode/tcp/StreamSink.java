package org.panamaverbs.cli.decode.tcp;

/** Takes the octets of one direction of a connection, in order and each once. */
public interface StreamSink {
    /**
     * Octets will come.
     *
     * @param fromStart whether the first one is the first that was ever sent in this direction, which its SYN tells
     */
    void begins(boolean fromStart);

    /**
     * The next octets.
     *
     * @param octets lent for the call
     */
    void octets(byte[] octets, int offset, int length, long frame, long timeNanos);

    /**
     * Says whether octets were acknowledged that were not handed on yet. Told before those octets, and before the other
     * direction's octets that came with the acknowledgment.
     */
    void lags(boolean now);

    /**
     * The next octets were sent, but are not in the capture.
     *
     * @param count how many, at least 1
     * @param frame the frame by which that is known
     * @param gap why they are missing
     */
    void missing(long count, long frame, long timeNanos, Gap gap);

    /** The sender has closed its direction, by a FIN in this frame, and all that it sent was handed on. Told once. */
    void closed(long frame, long timeNanos);

    /** The sender has reset the connection, by a RST in this frame. Told once, whatever was sent before. */
    void reset(long frame, long timeNanos);
}
