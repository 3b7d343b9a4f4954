package org.panamaverbs.cli.decode.iwarp;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.cli.decode.tcp.Conversation;
import org.panamaverbs.cli.decode.tcp.Endpoint;
import org.panamaverbs.cli.decode.tcp.StreamSink;
import org.panamaverbs.iwarp.wire.MpaFrame;

/** A connection that is iWARP, or may be: what both of its directions have to know of each other. */
final class MpaConnection implements Conversation {
    private final MpaConnections all;
    private final boolean assumed;
    private final MpaDirection fromOpener;
    private final MpaDirection fromOther;
    private int number;
    private boolean rejected;

    MpaConnection(Endpoint opener, Endpoint other, MpaConnections all) {
        this.all = all;
        assumed = all.assumption().covers(opener, other);
        Requests ofOpener = new Requests(all.budget());
        Requests ofOther = new Requests(all.budget());
        fromOpener = new MpaDirection(this, opener, other, true, new MessageCheck(ofOpener, ofOther));
        fromOther = new MpaDirection(this, other, opener, false, new MessageCheck(ofOther, ofOpener));
    }

    @Override
    public StreamSink sink(boolean opener) {
        return opener ? fromOpener : fromOther;
    }

    @Override
    public boolean wanted() {
        return !fromOpener.isOff() || !fromOther.isOff();
    }

    @Override
    public void finish() {
        settle(); // who still waits for the other side's MPA frame waits in vain
        fromOpener.finish();
        fromOther.finish();
    }

    /** Its number, which makes it iWARP. */
    int number() {
        if (number == 0) {
            number = all.nextNumber();
        }
        return number;
    }

    /** True when it is iWARP for sure, or the user says so. */
    boolean isIwarp() {
        return number != 0 || assumed;
    }

    /** True when the user says that it is iWARP. */
    boolean isAssumed() {
        return assumed;
    }

    MpaConnections all() {
        return all;
    }

    void emit(Event event) {
        all.emit(event);
    }

    MpaDirection peerOf(MpaDirection direction) {
        return direction == fromOpener ? fromOther : fromOpener;
    }

    /** A connection that begins with something else than an MPA frame is not iWARP. */
    void isForeign() {
        fromOpener.turnOff();
        fromOther.turnOff();
    }

    /** A direction has its MPA frame, or it is known that it will never have one. */
    void startKnown(MpaDirection direction) {
        MpaDirection peer = peerOf(direction);
        MpaFrame frame = direction.frame();
        if (frame != null && frame.reject()) {
            rejected = true;
        }
        if (peer.frame() != null || peer.startLost()) {
            settle();
        }
    }

    /** Lets both directions go on with what is known of set-up. */
    void settle() {
        fromOpener.settled();
        fromOther.settled();
    }

    boolean isRejected() {
        return rejected;
    }

    /** RFC 5044 §7.1: CRCs are in use when either side wants them. */
    Crc crc() {
        MpaFrame one = fromOpener.frame();
        MpaFrame other = fromOther.frame();
        if (wantsCrc(one) || wantsCrc(other)) {
            return Crc.ON;
        }
        return one == null || other == null ? Crc.UNKNOWN : Crc.OFF;
    }

    private static boolean wantsCrc(@Nullable MpaFrame frame) {
        return frame != null && (frame.crc() || frame.revision() == MpaFrame.REVISION_RDMAC);
    }

    /** True on a stream of the RDMA Consortium, whose version numbers are 0; the Reply's revision counts. */
    boolean isRdmac() {
        for (MpaDirection direction : new MpaDirection[] {fromOpener, fromOther}) {
            MpaFrame frame = direction.frame();
            if (frame != null && frame.revision() == MpaFrame.REVISION_RDMAC) {
                return true;
            }
        }
        return false;
    }
}
