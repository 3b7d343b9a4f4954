package org.panamaverbs.cli.decode.iwarp;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.cli.decode.tcp.Conversation;
import org.panamaverbs.cli.decode.tcp.Endpoint;
import org.panamaverbs.cli.decode.tcp.StreamSink;
import org.panamaverbs.iwarp.wire.mpa.MpaFrame;

/** A connection that is iWARP, or may be: what both of its directions have to know of each other. */
final class MpaConnection implements Conversation, MpaDirection.Connection {
    private final CaptureContext context;
    private final String link;
    private final boolean assumed;
    private final MpaDirection fromOpener;
    private final MpaDirection fromOther;
    private int number;
    private boolean rejected;

    MpaConnection(Endpoint opener, Endpoint other, String link, CaptureContext context) {
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

    @Override
    public int number() {
        if (number == 0) {
            number = context.numbers().getAsInt();
        }
        return number;
    }

    @Override
    public String link() {
        return link;
    }

    @Override
    public boolean isIwarp() {
        return number != 0 || assumed;
    }

    @Override
    public boolean isAssumed() {
        return assumed;
    }

    @Override
    public void emit(Event event) {
        context.output().accept(event);
    }

    @Override
    public MpaDirection peerOf(MpaDirection direction) {
        return direction == fromOpener ? fromOther : fromOpener;
    }

    @Override
    public void isForeign() {
        fromOpener.turnOff();
        fromOther.turnOff();
    }

    @Override
    public void startKnown(MpaDirection direction) {
        MpaDirection peer = peerOf(direction);
        MpaFrame frame = direction.frame();
        if (frame != null && frame.reject()) {
            rejected = true;
        }
        if (peer.frame() != null || peer.startLost()) {
            settle();
        }
    }

    @Override
    public void settle() {
        fromOpener.settled();
        fromOther.settled();
    }

    @Override
    public boolean isRejected() {
        return rejected;
    }

    @Override
    public Crc crc() {
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

    @Override
    public boolean isRdmac() {
        for (MpaDirection direction : new MpaDirection[] {fromOpener, fromOther}) {
            MpaFrame frame = direction.frame();
            if (frame != null && frame.revision() == MpaFrame.REVISION_RDMAC) {
                return true;
            }
        }
        return false;
    }
}
