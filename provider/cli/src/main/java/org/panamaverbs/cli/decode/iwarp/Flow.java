package org.panamaverbs.cli.decode.iwarp;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.cli.decode.tcp.Endpoint;
import org.panamaverbs.iwarp.wire.MpaFrame;

/**
 * One direction of a connection.
 *
 * @param connection its number, from 1, in the order in which iWARP was found
 * @param from who sends
 * @param to who receives
 * @param link where the connection was met, such as {@code VLAN 100}; empty if there is nothing to say
 * @param sender the part in MPA of who sends
 * @param fromOpener whether the side sends that opened the TCP connection, or was met first
 */
public record Flow(int connection, Endpoint from, Endpoint to, String link, Sender sender, boolean fromOpener) {
    /** Parts in MPA. */
    public enum Sender {
        /** Sent the MPA Request. */
        INITIATOR,
        /** Sent the MPA Reply. */
        RESPONDER,
        /** Its MPA frame is not in the capture. */
        UNKNOWN;

        /** Returns the part of who has sent {@code mine}, beside {@code theirs}, each null if it is not there. */
        static Sender of(@Nullable MpaFrame mine, @Nullable MpaFrame theirs) {
            if (mine == null && theirs == null) {
                return UNKNOWN;
            }
            boolean reply = mine == null ? theirs != null && !theirs.reply() : mine.reply();
            return reply ? RESPONDER : INITIATOR;
        }
    }
}
