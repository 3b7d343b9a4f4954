package org.panamaverbs.cli.decode.iwarp;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.cli.decode.dissect.HeaderCheck;
import org.panamaverbs.cli.decode.tcp.Endpoint;
import org.panamaverbs.cli.decode.tcp.Gap;
import org.panamaverbs.cli.decode.tcp.StreamSink;
import org.panamaverbs.iwarp.wire.Fpdu;
import org.panamaverbs.iwarp.wire.Markers;
import org.panamaverbs.iwarp.wire.MpaFrame;

/** What one side sends: first an MPA frame, then FPDUs. Finds its way back after octets that are missing. */
final class MpaDirection implements StreamSink {
    /** After how many octets to give up the search for an FPDU where there was one, or must be. */
    static final int SEARCH_BYTES = 4 << 20;
    /** The same for a connection of which nothing is known. */
    static final int PROBE_BYTES = 256 << 10;

    // A direction may wait for the other's MPA frame, in a capture out of order; honest ones send nothing meanwhile.
    private static final int MAX_HELD_BYTES = 1 << 20;
    // Longer than any FPDU: behind more missing octets than this there is no boundary that could be known.
    private static final int MAX_MISSING_BYTES = 128 << 10;
    private static final int MAX_LOST_FPDUS = 2;
    private static final int HEX_SHOWN = 24;
    // What is left of a key that is cut off, if it can be nothing else: whatever begins otherwise was refused before.
    private static final int MIN_KEY_BYTES = 8;

    private enum Phase {
        /** The MPA frame is due. */
        START,
        /** The MPA frame is here, the other side's is not. */
        HELD,
        /** At the beginning of an FPDU, or within one. */
        FPDUS,
        /** Where an FPDU begins is not known. */
        SEARCH,
        /** Nothing more is looked at. */
        OFF
    }

    private final MpaConnection connection;
    private final Endpoint from;
    private final Endpoint to;
    private final boolean opener;
    private final StreamBuffer buffer;
    private final FpduReader reader;
    private final FpduEvents events;
    private final MessageCheck messages;
    private Phase phase = Phase.START;
    private boolean fromStart;
    private boolean startLost;
    private boolean settled;
    private boolean lags;
    private @Nullable MpaFrame frame;
    private @Nullable Search search;
    private final Remarks remarks;
    private int lostInRow;

    MpaDirection(
            MpaConnection connection,
            MpaConnections context,
            Endpoint from,
            Endpoint to,
            boolean opener,
            MessageCheck messages) {
        this.connection = connection;
        this.from = from;
        this.to = to;
        this.opener = opener;
        this.messages = messages;
        buffer = new StreamBuffer(context.budget());
        reader = new FpduReader(buffer, context.crc());
        remarks = new Remarks(this::flow, connection::emit);
        events = new FpduEvents(buffer, messages, context.assumption().draftSwap());
    }

    /** Its MPA frame, or null as long as none was captured. */
    @Nullable
    MpaFrame frame() {
        return frame;
    }

    /** True when its MPA frame will never be known. */
    boolean startLost() {
        return startLost;
    }

    boolean isOff() {
        return phase == Phase.OFF;
    }

    /** True when it has sent more than what was handed on. */
    boolean isBehind() {
        return lags || phase == Phase.START || phase == Phase.HELD;
    }

    void turnOff() {
        phase = Phase.OFF;
        messages.gap();
        search = null;
        buffer.release();
    }

    Flow flow() {
        Flow.Sender sender = Flow.Sender.of(frame, connection.peerOf(this).frame());
        return new Flow(connection.number(), from, to, connection.link(), sender, opener);
    }

    @Override
    public void begins(boolean isStart) {
        fromStart = isStart;
    }

    @Override
    public void octets(byte[] octets, int offset, int length, long frameNumber, long timeNanos) {
        if (phase == Phase.OFF) {
            return;
        }
        remarks.at(frameNumber, timeNanos);
        if (!buffer.append(octets, offset, length, frameNumber, timeNanos)) {
            outOfMemory();
            return;
        }
        process();
    }

    @Override
    public void lags(boolean now) {
        lags = now;
    }

    @Override
    public void missing(long count, long frameNumber, long timeNanos, Gap gap) {
        if (phase == Phase.OFF) {
            return;
        }
        remarks.at(frameNumber, timeNanos);
        if (connection.isIwarp()) {
            remarks.missing(count, buffer.position() + buffer.size(), gap);
        }
        boolean headerIsThere = phase != Phase.START || buffer.size() >= MpaFrame.HEADER_BYTES;
        if (headerIsThere && count <= MAX_MISSING_BYTES) {
            if (!buffer.appendMissing((int) count, frameNumber, timeNanos)) {
                outOfMemory();
                return;
            }
        } else if (phase == Phase.START) {
            if (buffer.size() >= MIN_KEY_BYTES) {
                remarks.note("only %d octets of an MPA frame were captured, of at least %d"
                        .formatted(buffer.size(), MpaFrame.HEADER_BYTES));
            }
            buffer.skip(count);
            loseStart();
        } else {
            if (phase == Phase.HELD) {
                connection.settle();
            }
            if (phase == Phase.HELD) {
                begin(false);
            }
            if (phase != Phase.OFF) {
                buffer.skip(count);
                search();
            }
        }
        process();
    }

    @Override
    public void closed(long frameNumber, long timeNanos) {
        end(frameNumber, timeNanos, false);
    }

    @Override
    public void reset(long frameNumber, long timeNanos) {
        end(frameNumber, timeNanos, true);
    }

    private void end(long frameNumber, long timeNanos, boolean byReset) {
        if (connection.isIwarp()) {
            connection.emit(new Event.End(flow(), frameNumber, timeNanos, byReset));
        }
    }

    /** Both sides' set-up is known, as far as it ever will be. */
    void settled() {
        settled = true;
        if (phase == Phase.HELD) {
            process();
        }
    }

    private void hold() {
        MpaFrame theirs = connection.peerOf(this).frame();
        if (settled && theirs != null) {
            begin(theirs.markers() || followsRdmac(theirs));
        } else if (settled && buffer.size() >= Markers.BYTES) {
            // A stream of FPDUs cannot begin with two zero octets, but one with markers does.
            begin(buffer.beginsWithZeros(Markers.BYTES));
        } else if (buffer.size() > MAX_HELD_BYTES) {
            remarks.note("sends, though the other side's MPA frame is not in the capture: decoding continues without"
                    + " it");
            connection.settle();
        }
    }

    /**
     * Returns whether this side sends markers that the other one has not asked for.
     *
     * <p>RFC 5044 appendix C.2.5: who sees revision 0 in a Reply should "enable MPA Markers and CRC", which such a
     * Reply asks for; a frame of revision 0 itself asks for what it wants.
     */
    private boolean followsRdmac(MpaFrame theirs) {
        MpaFrame mine = frame;
        return mine != null
                && mine.revision() == MpaFrame.REVISION_RDMAC
                && mine.markers()
                && theirs.revision() != MpaFrame.REVISION_RDMAC;
    }

    // RFC 5044 §7.1: each side says whether it wants markers in what it receives.
    private void begin(boolean markers) {
        phase = Phase.FPDUS;
        reader.begin(buffer.position(), markers);
    }

    /** Nothing more will come. */
    void finish() {
        if (phase == Phase.HELD) {
            begin(false); // of fewer octets than a marker has
        }
        if (phase == Phase.SEARCH) {
            searchAtEnd();
        }
        if (phase == Phase.START && buffer.size() >= MpaFrame.KEY_BYTES && !startLost) {
            remarks.note("ends within an MPA frame: %d octets are there: %s"
                    .formatted(buffer.size(), events.hex(HEX_SHOWN)));
        }
        while (phase == Phase.FPDUS && buffer.size() > 0) {
            endWithinFpdu();
        }
        turnOff();
    }

    private void searchAtEnd() {
        long before = buffer.position() + buffer.size();
        Search current = search;
        searchOn(true);
        if (phase == Phase.SEARCH && current != null && connection.isIwarp() && before > current.begin()) {
            remarks.note("no FPDU is found in the last %d octets".formatted(before - current.begin()));
        }
        process();
    }

    /** What is left is no whole FPDU; perhaps because the length of one was wrong, and then others are in it. */
    private void endWithinFpdu() {
        int size = reader.sizeAt(0);
        remarks.note("ends within an FPDU: %d of %s octets are there: %s"
                .formatted(buffer.size(), size < 0 ? "an unknown number of" : size, events.hex(HEX_SHOWN)));
        buffer.drop(Math.min(Fpdu.LENGTH_BYTES, buffer.size()));
        search();
        if (connection.crc() == Crc.ON) {
            searchOn(true);
            process();
        }
    }

    private void process() {
        Phase before;
        do {
            before = phase;
            switch (phase) {
                case START -> start();
                case HELD -> hold();
                case FPDUS -> fpdus();
                case SEARCH -> searchOn(false);
                case OFF -> {}
            }
        } while (phase != before);
    }

    private void start() {
        MpaFrame theirs = connection.peerOf(this).frame();
        boolean reply = theirs != null && !theirs.reply();
        MpaFrame.Parsed parsed = MpaFrame.parse(buffer.segment(), buffer.base(), buffer.size(), reply);
        if (parsed instanceof MpaFrame.Malformed malformed
                && malformed.defect() == MpaFrame.Defect.ROLE
                && theirs == null) {
            parsed = MpaFrame.parse(buffer.segment(), buffer.base(), buffer.size(), true);
        }
        switch (parsed) {
            case MpaFrame.NeedMore more -> {}
            case MpaFrame.Malformed malformed -> malformed(malformed);
            case MpaFrame.Frame whole -> {
                frame = whole.frame();
                phase = Phase.HELD;
                connection.emit(events.mpa(flow(), whole));
                buffer.drop(whole.bytes());
                connection.startKnown(this);
            }
        }
    }

    private void malformed(MpaFrame.Malformed malformed) {
        boolean key = malformed.defect() == MpaFrame.Defect.KEY;
        if (key && (!fromStart || connection.isAssumed())) {
            loseStart();
            return;
        }
        if (key && connection.peerOf(this).frame() == null) {
            connection.isForeign();
            return;
        }
        remarks.problem("no usable MPA frame: %s; the connection is no longer followed".formatted(malformed.reason()));
        connection.isForeign();
    }

    private void loseStart() {
        startLost = true;
        search();
        connection.startKnown(this);
    }

    private void search() {
        phase = Phase.SEARCH;
        messages.gap();
        search = new Search(
                buffer,
                reader,
                frame != null,
                connection.crc(),
                connection.isIwarp(),
                connection.isRdmac(),
                connection.isIwarp() ? SEARCH_BYTES : PROBE_BYTES);
    }

    private void searchOn(boolean atEnd) {
        Search current = search;
        if (current == null) {
            return;
        }
        int found = current.find(atEnd);
        if (found != Search.NOT_FOUND) {
            long passedOver = current.passedOver() + found;
            buffer.drop(found);
            lostInRow = 0;
            search = null;
            phase = Phase.FPDUS;
            if (frame == null) {
                reader.begin(buffer.position(), false);
            }
            String start = frame == null ? "its MPA frame is not in the capture; " : "";
            remarks.note("%sFPDUs are found at offset %d, after %d octets that were skipped"
                    .formatted(start, buffer.position(), passedOver));
        } else if (current.exhausted()) {
            if (connection.isIwarp()) {
                remarks.note("no FPDU is found: this direction is no longer followed");
            }
            turnOff();
        }
    }

    private void fpdus() {
        while (phase == Phase.FPDUS && buffer.size() > 0) {
            if (connection.isRejected()) {
                remarks.problem("sends on a connection that the Reply rejected: " + events.hex(HEX_SHOWN));
                turnOff();
                return;
            }
            int head = Math.min(reader.headSize(0), buffer.size());
            int missing = buffer.firstMissing(0, head);
            if (missing < head) {
                buffer.drop(buffer.behindMissing(missing));
                search();
                return;
            }
            boolean whole = head == reader.headSize(0);
            if (lostInRow > 0 && whole && !HeaderCheck.plausible(reader.head(0), connection.isRdmac())) {
                framingLost();
                return;
            }
            int size = reader.sizeAt(0);
            if (size < 0 || buffer.size() < size) {
                return;
            }
            fpdu(size);
        }
    }

    private void fpdu(int size) {
        boolean inOrder = !connection.peerOf(this).isBehind();
        FpduEvents.Judged judged =
                events.fpdu(flow(), reader.read(size), connection.crc(), connection.isRdmac(), inOrder);
        connection.emit(judged.unit());
        buffer.drop(size);
        lostInRow = judged.lost() ? lostInRow + 1 : 0;
        if (lostInRow == MAX_LOST_FPDUS) {
            framingLost();
        }
    }

    private void framingLost() {
        remarks.note("the framing is lost at offset " + buffer.position() + ": the next FPDU is searched for");
        search();
    }

    private void outOfMemory() {
        remarks.outOfMemory(connection.isIwarp(), from + " > " + to);
        turnOff();
    }
}
