package org.panamaverbs.api;

/**
 * No provider could be opened. The message lists each provider with the reason and the remedy;
 * docs/guide/learn/native-access.md and docs/guide/learn/containers.md have the two that are most frequent.
 */
public final class ProviderUnavailableException extends VerbsException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception; {@code message} lists reasons and remedies. */
    public ProviderUnavailableException(String message) {
        super("open", message, null);
    }
}
