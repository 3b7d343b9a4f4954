package org.panamaverbs.iwarp.core;

import java.util.ArrayList;
import java.util.List;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;

/** A completion as it was reported. What it carries beyond id, status and opcode counts only on success. */
record Wc(
        long wrId,
        WcStatus status,
        WcOpcode opcode,
        int qpNumber,
        long byteCount,
        int flags,
        long immediateOrStag,
        int vendorError) {
    boolean ok() {
        return status == WcStatus.SUCCESS;
    }

    boolean flushed() {
        return status == WcStatus.WR_FLUSH_ERROR;
    }

    boolean has(int flag) {
        return (flags & flag) != 0;
    }

    /** Id and status, for comparisons of order. */
    String brief() {
        return wrId + " " + (ok() ? opcode : status);
    }

    /** A completion queue that keeps everything, up to a limit. */
    static final class Queue implements CompletionSink {
        final List<Wc> list = new ArrayList<>();
        int capacity = Integer.MAX_VALUE;
        int lost;
        /** So many completions succeed from now on, and the next one ends as a stack does; none if negative. */
        int failsAfter = -1;

        /** How many of them are taken. */
        long taken = Long.MAX_VALUE;

        /** How many completions came together, run by run. */
        final List<Integer> runs = new ArrayList<>();

        @Override
        public long complete(CompletionRun run, int qpNumber) {
            if (failsAfter >= 0 && failsAfter < run.count()) {
                failsAfter = -1;
                throw new OutOfMemoryError("in a test");
            }
            runs.add(run.count());
            return CompletionSink.super.complete(run, qpNumber);
        }

        @Override
        public int room() {
            return capacity - list.size();
        }

        @Override
        public long taken() {
            return taken;
        }

        @Override
        public long complete(
                long wrId,
                WcStatus status,
                WcOpcode opcode,
                int qpNumber,
                long byteCount,
                int flags,
                long immediateOrStag,
                int vendorError) {
            if (failsAfter >= 0 && failsAfter-- == 0) {
                throw new OutOfMemoryError("in a test");
            }
            if (list.size() == capacity) {
                lost++;
                return LOST;
            }
            list.add(new Wc(wrId, status, opcode, qpNumber, byteCount, flags, immediateOrStag, vendorError));
            return list.size() - 1L;
        }

        List<String> brief() {
            return list.stream().map(Wc::brief).toList();
        }

        List<Long> ids() {
            return list.stream().map(Wc::wrId).toList();
        }

        Wc last() {
            return list.getLast();
        }
    }
}
