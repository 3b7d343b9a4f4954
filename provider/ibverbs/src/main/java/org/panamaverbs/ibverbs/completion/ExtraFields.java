package org.panamaverbs.ibverbs.completion;

import java.util.Set;
import org.panamaverbs.api.WcField;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.spi.support.CompletionWriter;

/**
 * What entries of extended queues have that {@code struct ibv_wc} has no room for: a row of numbers for each entry.
 * Empty, and free of cost, where the queue was not made with any such field.
 */
final class ExtraFields {
    private static final CompletionWriter WRITER = CompletionWriter.get();

    private static final int TIMESTAMP = 0;
    private static final int WALLCLOCK = 1;
    private static final int CVLAN = 2;
    private static final int FLOW_TAG = 3;
    private static final int ROW = 4;

    private final boolean timestamp;
    private final boolean wallclock;
    private final boolean cvlan;
    private final boolean flowTag;
    private final long[] rows;

    /** Creates rows for {@code capacity} entries of a queue with {@code fields}. */
    ExtraFields(Set<WcField> fields, int capacity) {
        timestamp = fields.contains(WcField.TIMESTAMP);
        wallclock = fields.contains(WcField.WALLCLOCK);
        cvlan = fields.contains(WcField.CVLAN);
        flowTag = fields.contains(WcField.FLOW_TAG);
        rows = new long[timestamp || wallclock || cvlan || flowTag ? ROW * capacity : 0];
    }

    /** Tells whether entries have no such field. */
    boolean isEmpty() {
        return rows.length == 0;
    }

    void putTimestamp(int entry, long ticks) {
        rows[ROW * entry + TIMESTAMP] = ticks;
    }

    void putWallclock(int entry, long nanos) {
        rows[ROW * entry + WALLCLOCK] = nanos;
    }

    void putCvlan(int entry, int vlan) {
        rows[ROW * entry + CVLAN] = vlan;
    }

    void putFlowTag(int entry, int newTag) {
        rows[ROW * entry + FLOW_TAG] = newTag;
    }

    /** Copies the rows of {@code count} entries of {@code from}, of a queue with the same fields. */
    void copy(ExtraFields from, int first, int to, int count) {
        if (!isEmpty()) {
            System.arraycopy(from.rows, ROW * first, rows, ROW * to, ROW * count);
        }
    }

    /** Adds what entry {@code entry} has to {@code into}, which succeeded. */
    void read(int entry, WorkCompletion into) {
        int row = ROW * entry;
        if (timestamp) {
            WRITER.timestamp(into, rows[row + TIMESTAMP]);
        }
        if (wallclock) {
            WRITER.wallclockNanos(into, rows[row + WALLCLOCK]);
        }
        if (cvlan) {
            WRITER.cvlan(into, (int) rows[row + CVLAN]);
        }
        if (flowTag) {
            WRITER.flowTag(into, (int) rows[row + FLOW_TAG]);
        }
    }
}
