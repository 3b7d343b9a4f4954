package org.panamaverbs.iwarp.engine.transport;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;

/** What is taken of one peer that brings no data: it costs this side more than its peer. */
public final class TlsLimits {
    // A handshake is a dozen records; more if the certificates are many and the peer's records short.
    private static final int MAX_IN_SETUP = 256;
    // Key updates, tickets and empty records. One more may come for each of so many records with data.
    private static final int MAX_WITHOUT_DATA = 32;
    private static final int DATA_FOR_ONE_WITHOUT = 16;
    // RFC 8446 §4.6.3, §5.1: a key update has five bytes and ends its record; with header, type and tag it has 27.
    // The JDK takes as many of them as a record holds, and makes new keys for each.
    private static final int LONGEST_WITHOUT_DATA = 64;
    // Servers send tickets, which are long.
    private static final int MAX_TICKETS = 4;
    private static final int RECORD_HEADER = 5;
    private static final int RECORD_LENGTH = 3;
    private static final byte ENCRYPTED = 0x17;
    // Nobody has more to send than an MPA Request, 532 bytes, before it is answered.
    private static final int LONGEST_BEFORE_ANSWER = 576;

    private int inSetup;
    private int withData;
    private int withoutData;
    private int tickets;
    private boolean established;

    /** Counts a record of the set-up. */
    void countSetup() throws SSLException {
        if (++inSetup > MAX_IN_SETUP) {
            throw new SSLException("the peer sent " + inSetup + " TLS records before the set-up ended");
        }
    }

    /** The connection is set up: records may be long from now on. */
    void established() {
        established = true;
    }

    /**
     * Looks at the record that {@code octets} begin with, before anything is done for it: until a client is answered,
     * it may be anybody. Its certificates are long, and what comes with them is not done on the event loop's thread.
     */
    void check(ByteBuffer octets, SSLEngine engine, boolean open) throws SSLException {
        if (established || engine.getUseClientMode() || octets.remaining() < RECORD_HEADER) {
            return;
        }
        int length = Short.toUnsignedInt(octets.getShort(octets.position() + RECORD_LENGTH));
        if (length > LONGEST_BEFORE_ANSWER && octets.get(octets.position()) == ENCRYPTED) {
            boolean certificates = !open && (engine.getNeedClientAuth() || engine.getWantClientAuth());
            if (!certificates) {
                throw new SSLException("the peer sent a TLS record of " + length + " bytes before it was answered");
            }
        }
    }

    /** Counts the record of the peer, if there was one, that {@code result} is of. */
    public void count(SSLEngineResult result, boolean ofServer) throws SSLException {
        if (result.bytesProduced() > 0) {
            countData();
        } else if (result.bytesConsumed() > 0) {
            countEmpty();
            if (result.bytesConsumed() > LONGEST_WITHOUT_DATA && (!ofServer || ++tickets > MAX_TICKETS)) {
                throw new SSLException(
                        "the peer sent a TLS record of " + result.bytesConsumed() + " bytes without data");
            }
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

    private void countEmpty() throws SSLException {
        if (++withoutData > MAX_WITHOUT_DATA) {
            throw new SSLException("the peer sent " + withoutData + " TLS records without data, and few with data");
        }
    }
}
