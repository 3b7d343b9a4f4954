package org.panamaverbs.api;

/**
 * No provider could be opened. The message lists each provider with the reason and the remedy; the guide has the two
 * that are most frequent, on its pages {@code learn/native-access} and {@code learn/containers}.
 */
public final class ProviderUnavailableException extends VerbsException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception; {@code message} lists reasons and remedies. */
    public ProviderUnavailableException(String message) {
        super("open", message, null);
    }
}
