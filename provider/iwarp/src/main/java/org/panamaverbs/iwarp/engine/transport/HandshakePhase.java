package org.panamaverbs.iwarp.engine.transport;

/** What a {@code Handshake} is at. */
public enum HandshakePhase {
    /** Initiator: TCP connects. */
    CONNECTING,
    /** TLS, if it is wanted, is set up; responder: also nothing has come yet. */
    OPENING,
    /** The frames of MPA are on their way. */
    EXCHANGING,
    /** Responder: the request is here, and the application has not answered it. */
    WAITING,
    /** Responder: the rejection is sent, and the peer has time to read it. */
    REJECTING,
    /** Responder: the peer is told that its TLS does not do. */
    REFUSING,
    /** Agreed: the transport is the owner's, who has not done with it all that it had to, or heard that it cannot. */
    HANDING_OVER,
    /** Agreed, and the transport is another's. */
    HANDED_OVER,
    /** It has failed, and not all of its end could be done so far. */
    ENDING,
    /** It has failed, or was rejected; the transport is closed, or the close of what lingered has it. */
    OVER
}
