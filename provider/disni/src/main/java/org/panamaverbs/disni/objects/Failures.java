package org.panamaverbs.disni.objects;

import java.io.IOException;
import org.panamaverbs.api.PostStatus;

/** Tells DiSNI's applications of failures in the one way they know, by {@link IOException}. */
public final class Failures {
    private Failures() {}

    /** What answers or throws unchecked. */
    public interface Call<T> {
        T run();
    }

    /** Calls {@code call}; what it throws becomes the cause of an {@link IOException} with the same message. */
    public static <T> T call(String operation, Call<T> call) throws IOException {
        try {
            return call.run();
        } catch (RuntimeException e) {
            throw of(operation, e);
        }
    }

    /** Runs {@code action}; otherwise as {@link #call}. */
    public static void run(String operation, Runnable action) throws IOException {
        try {
            action.run();
        } catch (RuntimeException e) {
            throw of(operation, e);
        }
    }

    public static IOException of(String operation, RuntimeException cause) {
        String message = String.valueOf(cause.getMessage());
        return new IOException(message.startsWith(operation) ? message : operation + ": " + message, cause);
    }

    /** What a refused post becomes; {@code index} is that of the work request in its list. */
    public static IOException refused(String operation, int index, long wrId, String queuePair, int status) {
        String before = index == 0
                ? ""
                : "; the " + index + " before it in the list are posted: go on from it, do not post them again";
        return new IOException(operation + ": work request " + index + " (wr_id " + wrId + ") on " + queuePair + ": "
                + PostStatus.text(status) + before);
    }

    public static IOException unsupported(String operation, String what) {
        return new IOException(operation + ": " + what);
    }

    /** Returns {@code object} as what this provider makes. */
    public static <T> T own(String operation, Class<T> type, Object object) throws IOException {
        if (!type.isInstance(object)) {
            throw new IOException(operation + ": "
                    + (object == null ? "null" : "a " + object.getClass().getName())
                    + " is not of the Panama Verbs provider, or was not made yet");
        }
        return type.cast(object);
    }

    public static IOException closed(String operation, String what) {
        return new IOException(operation + ": " + what + " is closed");
    }
}
