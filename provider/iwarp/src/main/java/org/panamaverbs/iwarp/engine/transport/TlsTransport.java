package org.panamaverbs.iwarp.engine.transport;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Carrier;
import org.panamaverbs.iwarp.iovec.IoVector;
import org.panamaverbs.iwarp.net.TcpSocket;
import org.panamaverbs.iwarp.net.Watch;
import org.panamaverbs.spi.support.DeferredLog;

/**
 * TLS 1.3 over TCP (RFC 8446). Records go through buffers of its own, made once: what is written is in a record, and
 * its source free again, when {@link #write} returns.
 *
 * <p>Records hold more than their reader takes at once, and the socket is not ready for what was read from it before:
 * {@link #hasInput} tells of that.
 */
public final class TlsTransport extends SocketTransport {
    // A read is short, whatever the size of the records that a peer sends.
    private static final int RECORDS_A_READ = 64;

    private final SSLEngine engine;
    private final TlsTasks tasks;
    private final String besidePeers;
    private final TlsOutput output;
    private final TlsInput input;
    private final TlsLimits limits = new TlsLimits();
    // Whether what the peer sends is thrown away, so that nothing of it is to be read.
    private boolean discarding;
    // Whether the reader knows that the peer has ended its bytes.
    private boolean endTold;
    // What reading failed with: told once all bytes before it are taken, and again by each read that follows.
    private @Nullable IOException failure;
    // What the engine does on another thread; null if nothing. Only while TLS is set up.
    private TlsTasks.@Nullable Task task;

    /**
     * Makes a transport over {@code socket}; {@code sockets} is the clause of {@link #text} that says how TCP is
     * reached, {@code besidePeers} the one that follows where the peer is on this host.
     */
    public TlsTransport(TcpSocket socket, SSLEngine engine, TlsTasks tasks, String sockets, String besidePeers) {
        super(socket, sockets);
        this.engine = engine;
        this.tasks = tasks;
        this.besidePeers = besidePeers;
        output = new TlsOutput(socket, engine);
        input = new TlsInput(socket, engine, output, limits);
    }

    @Override
    public String lacking() {
        return "did not finish TLS set-up";
    }

    // ---- set-up ---------------------------------------------------------------------------------------------------

    @Override
    public int open(Runnable again) throws IOException {
        TlsTasks.Task running = task;
        if (running != null) {
            // The engine is the task's: whoever calls it now waits for it.
            if (!running.isDone()) {
                return 0;
            }
            task = null;
            running.check();
        }
        try {
            if (!input.isBegun()) {
                begin();
            }
            return shakeHands(again);
        } catch (SSLException e) {
            tellWhy();
            throw e;
        }
    }

    private void begin() throws SSLException {
        int recordBytes = engine.getSession().getPacketBufferSize();
        input.begin(recordBytes);
        output.begin(recordBytes);
        engine.beginHandshake();
    }

    private int shakeHands(Runnable again) throws IOException {
        while (true) {
            if (input.hasEnded()) {
                // Also by user_canceled, which anybody on the way can send: the engine is done, with nothing agreed.
                throw new EOFException("the peer ended TLS before it was set up");
            }
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK -> {
                    task = tasks.start(engine.getDelegatedTask(), again);
                    return 0;
                }
                case NEED_WRAP -> {
                    if (!output.hasRoom() && !flush()) {
                        return Watch.WRITE;
                    }
                    output.wrap();
                }
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    if (!flush()) {
                        return Watch.WRITE;
                    }
                    if (!input.unwrap()) {
                        return Watch.READ;
                    }
                    limits.countSetup();
                }
                case FINISHED, NOT_HANDSHAKING -> {
                    input.open();
                    return flush() ? OPEN : Watch.WRITE;
                }
            }
        }
    }

    /** Sends the alert that the engine has for the peer, if it can be sent now. */
    private void tellWhy() {
        try {
            if (input.isPlainMpa() && !engine.getUseClientMode()) {
                output.replace(TlsErrors.unexpectedMessage());
            }
            output.sendAlert();
        } catch (IOException e) {
            DeferredLog.log(TlsTransport.class, System.Logger.Level.DEBUG, "a TLS alert cannot be sent", e);
        }
    }

    @Override
    public void established() {
        limits.established();
    }

    // ---- receiving ------------------------------------------------------------------------------------------------

    @Override
    public long read(IoVector into) throws IOException {
        into.begin();
        for (int i = into.first(); i < into.end(); i++) {
            // Only an empty read tells of a failure or the end.
            int some = into.moved() == 0 || hasInput() ? read(into.buffer(i), into.memory(i)) : 0;
            if (some < 0) {
                return into.moved() == 0 ? some : into.moved();
            }
            into.count(some);
            if (into.buffer(i).hasRemaining()) {
                break;
            }
        }
        return into.moved();
    }

    private int read(ByteBuffer into, MemorySegment memory) throws IOException {
        int start = into.position();
        try {
            return read(into);
        } catch (IllegalStateException e) {
            if (memory.scope().isAlive()) {
                throw e;
            }
            // Its owner has closed it: the next pass refuses the memory. What came before has left its records.
            return into.position() - start;
        }
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        int start = into.position();
        if (failure == null) {
            try {
                fill(into);
            } catch (SSLException e) {
                tellWhy();
                failure = e;
            } catch (IOException e) {
                failure = e;
            }
        }
        int octets = into.position() - start;
        if (octets > 0 || !into.hasRemaining()) {
            return octets;
        }
        if (failure != null) {
            throw failure;
        }
        endTold |= input.hasEnded();
        return input.hasEnded() ? -1 : 0;
    }

    private void fill(ByteBuffer into) throws IOException {
        for (int records = 0; into.hasRemaining() && records < RECORDS_A_READ; ) {
            if (input.hasData()) {
                input.take(into);
                continue;
            }
            // With an answer due nothing more is read: what answers queue up would have no limit.
            if (input.hasEnded() || (output.owesAnswer() && !flush() && output.owesAnswer()) || !input.unwrap()) {
                return;
            }
            records++;
        }
    }

    @Override
    public boolean discard() throws IOException {
        discarding = true;
        return super.discard();
    }

    @Override
    public int await(int wanted, boolean polled) {
        int watched = super.await(isInputHeld() ? wanted & ~Watch.READ : wanted, polled);
        return (wanted & Watch.READ) != 0 && hasInput() ? watched | NOW : watched;
    }

    /** Tells whether {@link #read} has something to say of which the socket's readiness does not tell. */
    public boolean hasInput() {
        return !discarding
                && (input.hasData()
                        || failure != null
                        || (input.hasEnded() && !endTold)
                        || (input.mayHaveRecord() && !output.owesAnswer()));
    }

    /**
     * Tells whether {@link #read} takes nothing more before the socket has room for an answer, whatever its readiness
     * says: who watched it would spin for as long as the peer likes. Then {@link #isBlocked} holds as well.
     */
    private boolean isInputHeld() {
        return !discarding && output.owesAnswer() && !output.hasRoom();
    }

    // ---- sending --------------------------------------------------------------------------------------------------

    @Override
    public void write(IoVector from) throws IOException {
        from.begin();
        if (!flush()) {
            return;
        }
        int at = skipEmpty(from, from.first());
        while (at < from.end() && (output.hasRoom() || flush())) {
            SSLEngineResult result;
            try {
                result = output.wrap(from.buffers(), at, from.end() - at);
            } catch (SSLException e) {
                if (isAlive(from, at)) {
                    throw e;
                }
                // Its owner has closed it: the next pass refuses the memory. TLS is over by it.
                return;
            }
            from.count(result.bytesConsumed());
            limits.countData();
            if (result.bytesProduced() == 0 || result.getStatus() == Status.CLOSED) {
                flush(); // an alert, and records before it
                throw new SSLException("TLS can send nothing more: " + result);
            }
            at = skipEmpty(from, at);
        }
        flush();
    }

    private static boolean isAlive(IoVector from, int first) {
        for (int i = first; i < from.end(); i++) {
            if (!from.memory(i).scope().isAlive()) {
                return false;
            }
        }
        return true;
    }

    private static int skipEmpty(IoVector from, int first) {
        int at = first;
        while (at < from.end() && !from.buffer(at).hasRemaining()) {
            at++;
        }
        return at;
    }

    @Override
    public boolean flush() throws IOException {
        return output.flush();
    }

    @Override
    public boolean isBlocked() {
        return !output.isEmpty();
    }

    // ---- ending ---------------------------------------------------------------------------------------------------

    /** Sends a close_notify, then TCP's FIN; what the peer sends is received as before (RFC 8446 §6.1). */
    @Override
    public boolean shutdownOutput() throws IOException {
        if (task == null && input.isOpen()) {
            engine.closeOutbound();
            while (!engine.isOutboundDone()) {
                if (!output.hasRoom() && !flush()) {
                    return false;
                }
                if (output.wrap().bytesProduced() == 0) {
                    break;
                }
            }
        }
        if (!flush()) {
            return false;
        }
        socket.shutdownOutput();
        return true;
    }

    @Override
    public void close(boolean reset) {
        if (task != null) {
            task.abandon();
        }
        socket.close(reset);
    }

    @Override
    public @Nullable SSLSession session() {
        return input.isOpen() ? engine.getSession() : null;
    }

    @Override
    public Carrier kind() {
        return Carrier.TLS;
    }

    @Override
    public String text() {
        SSLSession agreed = engine.getSession();
        String text = super.text() + ", " + agreed.getProtocol() + " " + agreed.getCipherSuite();
        try {
            return isPeerHere() ? text + besidePeers : text;
        } catch (IOException e) {
            // It is over already, and nobody knows where the peer was.
            return text;
        }
    }
}
