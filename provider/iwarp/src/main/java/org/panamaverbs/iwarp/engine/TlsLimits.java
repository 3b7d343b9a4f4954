package org.panamaverbs.iwarp.engine;

import javax.net.ssl.SSLException;

/** How many records of one peer are taken that bring no data: each costs this side more than its peer. */
final class TlsLimits {
    // A handshake is a dozen records; more if the certificates are many and the peer's records short.
    private static final int MAX_IN_SETUP = 256;
    // Key updates, tickets and empty records. One more may come for each of so many records with data.
    private static final int MAX_WITHOUT_DATA = 32;
    private static final int DATA_FOR_ONE_WITHOUT = 16;

    private int inSetup;
    private int withData;
    private int withoutData;

    /** Counts a record of the set-up. */
    void countSetup() throws SSLException {
        if (++inSetup > MAX_IN_SETUP) {
            throw new SSLException("the peer sent " + inSetup + " TLS records, and set-up has not ended");
        }
    }

    /**
     * Counts a record with data, of either side: a peer that only receives answers the key updates of the side that
     * sends, and has no data of its own.
     */
    void countData() {
        if (++withData == DATA_FOR_ONE_WITHOUT) {
            withData = 0;
            withoutData = Math.max(0, withoutData - 1);
        }
    }

    /** Counts a record of the peer without data, after the set-up. */
    void countEmpty() throws SSLException {
        if (++withoutData > MAX_WITHOUT_DATA) {
            throw new SSLException(
                    "the peer sent " + withoutData + " TLS records without data, and hardly any with it");
        }
    }
}
