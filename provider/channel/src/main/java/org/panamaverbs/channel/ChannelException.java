package org.panamaverbs.channel;

/**
 * A channel could not be established, or ended other than by the peer's {@link Publisher#end}. The message ends in the
 * remedy.
 */
public final class ChannelException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ChannelException(String message) {
        super(message);
    }

    ChannelException(String message, Throwable cause) {
        super(message, cause);
    }
}
