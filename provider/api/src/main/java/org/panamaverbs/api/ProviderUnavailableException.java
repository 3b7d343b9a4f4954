package org.panamaverbs.api;

/**
 * No provider could be opened. The message lists each provider with reason and remedy; the guide's pages
 * {@code learn/native-access} and {@code learn/containers} explain the two most frequent.
 */
public final class ProviderUnavailableException extends VerbsException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception; {@code message} lists reasons and remedies. */
    public ProviderUnavailableException(String message) {
        super("open", message, null);
    }
}
