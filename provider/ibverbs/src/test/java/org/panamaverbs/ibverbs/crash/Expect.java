package org.panamaverbs.ibverbs.crash;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;

/** What may come of a misuse, and nothing else. */
final class Expect {
    private static final long SECONDS = 30;

    private Expect() {}

    /** Something that may throw. */
    interface Action {
        void run() throws Exception;
    }

    /** A completion that stays as it was. */
    record Completed(long wrId, WcStatus status) {
        boolean ok() {
            return status == WcStatus.SUCCESS;
        }

        @Override
        public String toString() {
            return wrId + " " + status;
        }
    }

    /** The time that is allowed for what must happen. */
    static Deadline soon() {
        return Deadline.in(SECONDS, TimeUnit.SECONDS);
    }

    static void that(boolean condition, String otherwise) {
        if (!condition) {
            throw new CaseFailure(otherwise);
        }
    }

    /** {@code action} must throw {@code type} with {@code words} in its message; returns the message. */
    static String refused(String what, Class<? extends Exception> type, Action action, String... words) {
        try {
            action.run();
        } catch (Exception e) {
            if (!type.isInstance(e)) {
                throw new CaseFailure(what + " threw " + e + " instead of " + type.getSimpleName(), e);
            }
            String message = String.valueOf(e.getMessage());
            for (String word : words) {
                that(
                        message.toLowerCase(Locale.ROOT).contains(word.toLowerCase(Locale.ROOT)),
                        what + " does not name " + word + ": " + message);
            }
            return what + ": " + message;
        }
        throw new CaseFailure(what + " was not refused");
    }

    /** {@code action} must throw {@link IllegalStateException} with {@code words}. */
    static String refused(String what, Action action, String... words) {
        return refused(what, IllegalStateException.class, action, words);
    }

    /** {@code action} may succeed, or throw what the API says that it throws. */
    static String either(String what, Action action) {
        try {
            action.run();
            return what + ": done";
        } catch (IllegalStateException
                | IllegalArgumentException
                | IndexOutOfBoundsException
                | UnsupportedOperationException
                | WrongThreadException
                | VerbsException e) {
            return what + ": " + e.getClass().getSimpleName() + ": " + e.getMessage();
        } catch (Exception e) {
            throw new CaseFailure(what + " threw " + e, e);
        }
    }

    /** Takes the next completion, whatever its status. */
    static Completed completion(CompletionQueue queue) {
        WorkCompletions completions = WorkCompletions.ofCapacity(1);
        queue.poll(completions, soon());
        WorkCompletion next = completions.get(0);
        return new Completed(next.wrId(), next.status());
    }

    /** Takes {@code count} completions. */
    static List<Completed> completions(CompletionQueue queue, int count) {
        List<Completed> taken = new ArrayList<>();
        while (taken.size() < count) {
            taken.add(completion(queue));
        }
        return taken;
    }

    /** The next completion must be an error. */
    static String failure(CompletionQueue queue) {
        Completed next = completion(queue);
        that(!next.ok(), "a success instead of an error: " + next);
        return next.toString();
    }

    /** Lets the other threads run for {@code millis}. */
    static void meanwhile(long millis) {
        Deadline end = Deadline.in(millis, TimeUnit.MILLISECONDS);
        while (!end.passed()) {
            Thread.yield();
        }
    }
}
