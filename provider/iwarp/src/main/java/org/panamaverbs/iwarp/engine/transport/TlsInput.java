package org.panamaverbs.iwarp.engine.transport;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.panamaverbs.iwarp.net.TcpSocket;

/** The records that TLS receives: they are collected from the socket, and the engine makes data of them, one by one. */
final class TlsInput {
    private final TcpSocket socket;
    private final SSLEngine engine;
    private final TlsOutput output;
    private final TlsLimits limits;
    // To be read, position to limit: records, and the data of the last one. On the heap, as the JDK's
    // ciphers are faster there, and nothing waits for a Cleaner. They are made when the set-up begins,
    // for a listener with its peer's first byte.
    private ByteBuffer records = TlsOutput.EMPTY;
    private ByteBuffer data = TlsOutput.EMPTY;
    private Phase phase = Phase.SILENT;
    // The records hold no whole one: the socket is to be asked first.
    private boolean starved = true;
    // The peer has sent a close_notify, or the engine takes nothing more.
    private boolean ended;

    /** What the peer's bytes are. */
    private enum Phase {
        /** None has come. */
        SILENT,
        /** They are TLS, which is being set up. */
        SETTING_UP,
        /** The set-up is over: records have data from now on. */
        OPEN
    }

    /** Reads from {@code socket}; what the engine has to answer goes to {@code output}. */
    TlsInput(TcpSocket socket, SSLEngine engine, TlsOutput output, TlsLimits limits) {
        this.socket = socket;
        this.engine = engine;
        this.output = output;
        this.limits = limits;
    }

    /** Makes the buffers, for records of {@code bytes} at most as far as is known. */
    void begin(int bytes) {
        records = ByteBuffer.allocate(TlsOutput.RECORDS_KEPT * bytes).limit(0);
        data = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize())
                .limit(0);
    }

    /** Tells whether the buffers are made. */
    boolean isBegun() {
        return records.capacity() != 0;
    }

    /** Notes that the set-up is over. */
    void open() {
        phase = Phase.OPEN;
    }

    /** Tells whether the set-up is over. */
    boolean isOpen() {
        return phase == Phase.OPEN;
    }

    /** Tells whether no further record comes. */
    boolean hasEnded() {
        return ended;
    }

    /** Tells whether the peer speaks MPA without TLS. */
    boolean isPlainMpa() {
        return TlsErrors.isPlainMpa(records);
    }

    /** Tells whether there is data of the last record. */
    boolean hasData() {
        return data.hasRemaining();
    }

    /** Tells whether {@link #unwrap} may find a record without the socket. */
    boolean mayHaveRecord() {
        return !starved && records.hasRemaining();
    }

    /** Moves data of the last record to {@code into}, as much as there is and fits. */
    void take(ByteBuffer into) {
        int octets = Math.min(data.remaining(), into.remaining());
        into.put(into.position(), data, data.position(), octets);
        into.position(into.position() + octets);
        data.position(data.position() + octets);
    }

    /** Takes one record, whose data {@link #take} gives away; false if it is not here as a whole. */
    boolean unwrap() throws IOException {
        while (true) {
            if (starved && !receive()) {
                return false;
            }
            switch (unwrapOne()) {
                case OK, CLOSED -> {
                    return true;
                }
                case BUFFER_UNDERFLOW -> starved = true;
                case BUFFER_OVERFLOW -> {
                    int bytes = engine.getSession().getApplicationBufferSize();
                    if (bytes <= data.capacity()) {
                        throw new SSLException("a TLS record of more than " + data.capacity() + " bytes");
                    }
                    data = ByteBuffer.allocate(bytes).limit(0);
                }
            }
        }
    }

    private Status unwrapOne() throws IOException {
        data.clear();
        SSLEngineResult result;
        try {
            limits.check(records, engine, isOpen());
            result = engine.unwrap(records, data);
        } catch (SSLException | RuntimeException e) {
            data.position(0);
            throw e;
        } finally {
            data.flip();
        }
        starved = !records.hasRemaining();
        ended |= result.getStatus() == Status.CLOSED || engine.isInboundDone();
        if (isOpen() && !ended) {
            limits.count(result, engine.getUseClientMode());
            afterwards(result.getHandshakeStatus());
        }
        return result.getStatus();
    }

    /** RFC 8446 §4.6: key updates and tickets come at any time; some have to be answered. */
    private void afterwards(HandshakeStatus status) throws IOException {
        HandshakeStatus next = status;
        while (next == HandshakeStatus.NEED_TASK) {
            engine.getDelegatedTask().run();
            next = engine.getHandshakeStatus();
        }
        if (next == HandshakeStatus.NEED_WRAP && !engine.isOutboundDone()) {
            output.oweAnswer();
        }
        if (output.owesAnswer()) {
            output.flush();
        }
    }

    /** Reads from the socket; false if there is nothing. */
    private boolean receive() throws IOException {
        records.compact();
        int octets;
        try {
            octets = socket.read(records);
        } catch (IOException e) {
            throw phase == Phase.SILENT ? TlsErrors.unheard(engine, e) : e;
        } finally {
            records.flip();
        }
        if (octets < 0) {
            // RFC 8446 §6.1: without a close_notify anybody may have cut the bytes short.
            EOFException cut = new EOFException("the peer closed the TCP connection without a TLS close_notify");
            throw phase == Phase.SILENT ? TlsErrors.unheard(engine, cut) : cut;
        }
        if (octets > 0) {
            starved = false;
            if (phase == Phase.SILENT) {
                if (TlsErrors.isPlainMpa(records)) {
                    throw TlsErrors.plainPeer(engine);
                }
                phase = Phase.SETTING_UP;
            }
        } else if (records.limit() == records.capacity()) {
            throw new SSLException("a TLS record of more than " + records.capacity() + " bytes");
        }
        return octets > 0;
    }
}
