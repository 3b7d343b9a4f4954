package org.panamaverbs.cli.decode.iwarp;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.cli.decode.tcp.Conversation;
import org.panamaverbs.cli.decode.tcp.Endpoint;
import org.panamaverbs.cli.decode.tcp.StreamSink;
import org.panamaverbs.iwarp.wire.MpaFrame;

/** A connection that is iWARP, or may be: what both of its directions have to know of each other. */
final class MpaConnection implements Conversation {
    private final MpaConnections context;
    private final String link;
    private final boolean assumed;
    private final MpaDirection fromOpener;
    private final MpaDirection fromOther;
    private int number;
    private boolean rejected;

    MpaConnection(Endpoint opener, Endpoint other, String link, MpaConnections context) {
        this.context = context;
        this.link = link;
        assumed = context.assumption().covers(opener, other);
        Requests ofOpener = new Requests(context.budget());
        Requests ofOther = new Requests(context.budget());
        fromOpener = new MpaDirection(this, context, opener, other, true, new MessageCheck(ofOpener, ofOther));
        fromOther = new MpaDirection(this, context, other, opener, false, new MessageCheck(ofOther, ofOpener));
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

    /** Returns its number, which makes it iWARP. */
    int number() {
        if (number == 0) {
            number = context.numbers().getAsInt();
        }
        return number;
    }

    /** Returns the link where it was met, empty if there is nothing to say of it. */
    String link() {
        return link;
    }

    /** Tells whether it is iWARP for sure, or the user says so. */
    boolean isIwarp() {
        return number != 0 || assumed;
    }

    /** Tells whether the user says that it is iWARP. */
    boolean isAssumed() {
        return assumed;
    }

    /** Hands on what was found. */
    void emit(Event event) {
        context.output().accept(event);
    }

    MpaDirection peerOf(MpaDirection direction) {
        return direction == fromOpener ? fromOther : fromOpener;
    }

    /** Takes note that it is not iWARP, since it begins with something else than an MPA frame. */
    void isForeign() {
        fromOpener.turnOff();
        fromOther.turnOff();
    }

    /** Takes note that a direction has its MPA frame, or will never have one. */
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

    /** Tells whether an MPA frame rejects the connection. */
    boolean isRejected() {
        return rejected;
    }

    /** Tells whether CRCs are in use. RFC 5044 §7.1: they are when either side wants them. */
    Crc crc() {
        MpaFrame one = fromOpener.frame();
        MpaFrame other = fromOther.frame();
        if (wantsCrc(one) || wantsCrc(other)) {
            return Crc.ON;
        }
        // RFC 5044 appendix C.1: a side of revision 0 "will always request CRC use"; without C it may have them or not.
        return one == null || other == null || isRdmac() ? Crc.UNKNOWN : Crc.OFF;
    }

    private static boolean wantsCrc(@Nullable MpaFrame frame) {
        return frame != null && frame.crc();
    }

    /** Tells whether it is a stream of the RDMA Consortium, whose version numbers are 0. */
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
