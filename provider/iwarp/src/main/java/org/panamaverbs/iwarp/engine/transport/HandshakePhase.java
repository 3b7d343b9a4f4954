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
    /** It has an outcome; the transport is another's or closed. */
    OVER
}
