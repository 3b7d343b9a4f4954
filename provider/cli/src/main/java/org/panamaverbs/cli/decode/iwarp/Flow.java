package org.panamaverbs.cli.decode.iwarp;

import org.panamaverbs.cli.decode.tcp.Endpoint;

/**
 * One direction of a connection.
 *
 * @param connection its number, from 1, in the order in which iWARP was found
 * @param from who sends
 * @param to who receives
 * @param sender the part in MPA of who sends
 * @param fromOpener whether the side sends that opened the TCP connection, or was met first
 */
public record Flow(int connection, Endpoint from, Endpoint to, Sender sender, boolean fromOpener) {
    /** Parts in MPA. */
    public enum Sender {
        /** Sent the MPA Request. */
        INITIATOR,
        /** Sent the MPA Reply. */
        RESPONDER,
        /** Its MPA frame is not in the capture. */
        UNKNOWN
    }
}
