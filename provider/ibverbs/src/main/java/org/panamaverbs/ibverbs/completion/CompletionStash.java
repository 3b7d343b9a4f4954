package org.panamaverbs.ibverbs.completion;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.spi.support.CompletionWriter;

/** Completions that were taken off a queue while a marker was awaited, for the application. Under the queue's gate. */
final class CompletionStash {
    private static final CompletionWriter WRITER = CompletionWriter.get();

    private static final int SMALLEST = 64;

    private final WcKind kind;
    private WcArray kept;
    private @Nullable Object[] attachments = {};
    private int count;

    /** Creates an empty stash with arrays of the queue's kind. */
    CompletionStash(WcKind kind) {
        this.kind = kind;
        kept = new WcArray(kind, 0);
    }

    int count() {
        return count;
    }

    /** Makes room for one more. */
    void makeRoom() {
        if (count == kept.capacity()) {
            WcArray grown = new WcArray(kind, Math.max(SMALLEST, 2 * count));
            for (int i = 0; i < count; i++) {
                grown.copy(kept, i, i);
            }
            attachments = Arrays.copyOf(attachments, grown.capacity());
            kept = grown;
        }
    }

    /** Takes a copy of entry {@code index} of {@code from}, for which there is room; it needs no memory. */
    void add(WcArray from, int index) {
        Object attachment = from.settle(index);
        kept.copy(from, index, count);
        attachments[count] = attachment;
        count++;
    }

    /** Gives the application as many as {@code completions} take, and returns how many. */
    int poll(WorkCompletions completions) {
        int given = Math.min(completions.capacity(), count);
        for (int i = 0; i < given; i++) {
            kept.readSettled(i, WRITER.slot(completions, i));
            WRITER.attachment(WRITER.slot(completions, i), attachments[i]);
        }
        kept.moveToFront(given, count);
        System.arraycopy(attachments, given, attachments, 0, count - given);
        Arrays.fill(attachments, count - given, count, null);
        count -= given;
        WRITER.filled(completions, given);
        return given;
    }
}
