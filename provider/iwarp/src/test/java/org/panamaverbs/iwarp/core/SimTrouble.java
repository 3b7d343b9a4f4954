package org.panamaverbs.iwarp.core;

import java.util.SplittableRandom;

/** What goes wrong in a run, if anything does. */
enum SimTrouble {
    /** Nothing. */
    NONE,
    /** A bit is changed on the way; only with the CRC. */
    CORRUPTION,
    /** The connection ends for one reader at some octet, as if the sender had closed. */
    TRUNCATION,
    /** One direction is closed between two FPDUs, the other goes on. */
    HALF_CLOSE,
    /** The connection breaks at some octet. */
    RESET,
    /** One direction stands still from some octet on. */
    STALL,
    /** The initiator's request for a connection comes once more, in the middle of everything. */
    SECOND_REQUEST,
    /** An application aborts. */
    ABORT,
    /** An application fails its stream: a Terminate is sent. */
    TERMINATE,
    /** An application disconnects while much is under way. */
    DISCONNECT,
    /** A side asks for what it has no right to. */
    CRIME,
    /** An application takes its memory away. */
    REVOCATION,
    /** A completion queue overruns. */
    OVERRUN;

    private static final SimTrouble[] ALL = values();

    static SimTrouble any(SplittableRandom random) {
        return random.nextInt(4) == 0 ? NONE : ALL[random.nextInt(ALL.length)];
    }

    /** Tells whether it changes octets on the way, which memory of one host does not. */
    boolean isOfTheWire() {
        return this == CORRUPTION || this == SECOND_REQUEST;
    }

    /** Tells whether a run may stand still until an application gives up. */
    boolean mayHang() {
        return this == CORRUPTION || this == STALL || this == SECOND_REQUEST;
    }

    /** Tells whether a run that it befell ends without a fault all the same. */
    boolean isHarmless() {
        return this == NONE || this == DISCONNECT || this == HALF_CLOSE;
    }
}
