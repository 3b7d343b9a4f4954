package org.panamaverbs.cli.decode.iwarp;

/** Whether a connection has CRCs. */
enum Crc {
    /** One side has asked for them, so both use them (RFC 5044 §7.1). */
    ON,
    /** Nobody has asked for them. */
    OFF,
    /** Who asked for what is not in the capture: a right CRC is good, a wrong one says nothing. */
    UNKNOWN
}
