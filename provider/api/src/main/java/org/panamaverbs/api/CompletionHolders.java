package org.panamaverbs.api;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.spi.support.CompletionWriter;

/** Writes {@link WorkCompletion}s, which applications only read. */
final class CompletionHolders extends CompletionWriter {
    @Override
    public WorkCompletion slot(WorkCompletions completions, int index) {
        return completions.entries[index];
    }

    @Override
    public void filled(WorkCompletions completions, int count) {
        completions.count = count;
    }

    @Override
    public void set(
            WorkCompletion into,
            long wrId,
            WcStatus status,
            WcOpcode opcode,
            int qpNumber,
            long byteCount,
            int vendorError) {
        into.wrId = wrId;
        // Storing a reference costs the collector's barrier, and these two rarely change from poll to poll.
        if (into.status != status) {
            into.status = status;
        }
        if (into.opcode != opcode) {
            into.opcode = opcode;
        }
        into.qpNumber = qpNumber;
        into.byteCount = byteCount;
        into.vendorError = vendorError;
        into.flags = 0;
        into.immediate = 0;
        into.invalidatedRkey = 0;
        into.sourceQpNumber = 0;
        if (into.attachment != null) {
            into.attachment = null;
        }
    }

    @Override
    public void immediate(WorkCompletion into, long value) {
        into.immediate = value;
        into.flags |= WorkCompletion.HAS_IMMEDIATE;
    }

    @Override
    public void bySend(WorkCompletion into) {
        into.flags |= WorkCompletion.BY_SEND;
    }

    @Override
    public void invalidatedRkey(WorkCompletion into, int rkey) {
        into.invalidatedRkey = rkey;
        into.flags |= WorkCompletion.HAS_INVALIDATED_RKEY;
    }

    @Override
    public void terminate(WorkCompletion into) {
        into.flags |= WorkCompletion.HAS_TERMINATE;
    }

    @Override
    public void sourceQpNumber(WorkCompletion into, int number) {
        into.sourceQpNumber = number;
    }

    @Override
    public void timestamp(WorkCompletion into, long ticks) {
        into.timestamp = ticks;
        into.flags |= WorkCompletion.HAS_TIMESTAMP;
    }

    @Override
    public void wallclockNanos(WorkCompletion into, long nanos) {
        into.wallclockNanos = nanos;
        into.flags |= WorkCompletion.HAS_WALLCLOCK;
    }

    @Override
    public void grh(WorkCompletion into) {
        into.flags |= WorkCompletion.HAS_GRH;
    }

    @Override
    public void checksumsOk(WorkCompletion into) {
        into.flags |= WorkCompletion.CHECKSUMS_OK;
    }

    @Override
    public void datagramAddress(WorkCompletion into, int lid, int serviceLevel, int pathBits, int pkeyIndex) {
        into.sourceLid = lid;
        into.serviceLevel = serviceLevel;
        into.dlidPathBits = pathBits;
        into.pkeyIndex = pkeyIndex;
        into.flags |= WorkCompletion.HAS_ADDRESS;
    }

    @Override
    public void cvlan(WorkCompletion into, int vlan) {
        into.cvlan = vlan;
        into.flags |= WorkCompletion.HAS_CVLAN;
    }

    @Override
    public void flowTag(WorkCompletion into, int tag) {
        into.flowTag = tag;
        into.flags |= WorkCompletion.HAS_FLOW_TAG;
    }

    @Override
    public void attachment(WorkCompletion into, @Nullable Object attachment) {
        into.attachment = attachment;
    }
}
