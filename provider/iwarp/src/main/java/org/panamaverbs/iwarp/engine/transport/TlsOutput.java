package org.panamaverbs.iwarp.engine.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.panamaverbs.iwarp.net.TcpSocket;

/** The records that TLS sends: the engine makes them in a buffer of their own, from which the socket takes them. */
final class TlsOutput {
    /** How many records of the longest kind a buffer holds, in either direction. */
    static final int RECORDS_KEPT = 2;

    /** A buffer that is not made yet. */
    static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

    private static final ByteBuffer[] NOTHING = {EMPTY};

    private final TcpSocket socket;
    private final SSLEngine engine;
    // To be sent: up to position. Heap, as the JDK's ciphers are faster there, and nothing waits for a Cleaner.
    private ByteBuffer records = EMPTY;
    private int recordBytes;
    private boolean owesAnswer;

    TlsOutput(TcpSocket socket, SSLEngine engine) {
        this.socket = socket;
        this.engine = engine;
    }

    /** Makes the buffer, for records of {@code bytes} at most as far as is known. */
    void begin(int bytes) {
        recordBytes = bytes;
        records = ByteBuffer.allocate(RECORDS_KEPT * bytes);
    }

    /** Tells whether another record fits. */
    boolean hasRoom() {
        return records.remaining() >= recordBytes;
    }

    /** Tells whether all records are sent. */
    boolean isEmpty() {
        return records.position() == 0;
    }

    /** Has the engine make a record of the data in {@code from}; there must be room. */
    SSLEngineResult wrap(ByteBuffer[] from, int first, int count) throws SSLException {
        int end = records.position();
        try {
            SSLEngineResult result = engine.wrap(from, first, count, records);
            if (result.getStatus() == Status.BUFFER_OVERFLOW) {
                recordBytes = Math.max(engine.getSession().getPacketBufferSize(), 2 * recordBytes);
                records = ByteBuffer.allocate(records.position() + recordBytes).put(records.flip());
                result = engine.wrap(from, first, count, records);
            }
            return result;
        } catch (SSLException | RuntimeException | Error e) {
            // Where its source fails the engine leaves what it has not encrypted.
            records.limit(records.capacity()).position(end);
            throw e;
        }
    }

    /** Has the engine make a record of its own, without data. */
    SSLEngineResult wrap() throws SSLException {
        return wrap(NOTHING, 0, 1);
    }

    /** Notes that the engine has an answer for the peer, which goes out with a flush as soon as there is room. */
    void oweAnswer() {
        owesAnswer = true;
    }

    /** Tells whether an answer has still to be made. */
    boolean owesAnswer() {
        return owesAnswer;
    }

    /** Sends what the socket has room for; returns whether nothing is left. */
    boolean flush() throws IOException {
        if (owesAnswer && hasRoom()) {
            owesAnswer = false;
            wrap();
        }
        if (!isEmpty()) {
            records.flip();
            try {
                socket.write(records);
            } finally {
                records.compact();
            }
        }
        return isEmpty();
    }

    /** Sends {@code record} in place of all that is left. */
    void replace(byte... record) {
        records.clear().put(record);
    }

    /** Sends the alert that the engine has for the peer, if it can be sent now. */
    void sendAlert() throws IOException {
        while (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP && hasRoom()) {
            if (wrap().bytesProduced() == 0) {
                break;
            }
        }
        flush();
    }
}
