package org.panamaverbs.iwarp.core;

/** What came of appending payload to an FPDU. */
enum Appended {
    /** It is in the FPDU. */
    DONE,
    /** There is no memory for a copy of so much: a shorter FPDU, of {@link FpduWriter#shortPayload}, needs none. */
    TOO_MUCH,
    /** Its memory cannot be accessed. */
    GONE
}
