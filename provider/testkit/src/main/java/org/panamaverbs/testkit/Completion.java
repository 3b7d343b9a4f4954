package org.panamaverbs.testkit;

import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;

/**
 * A work completion that stays as it was: what {@link WorkCompletion} said when it was polled.
 *
 * @param wrId the application's id
 * @param status the status
 * @param opcode what was completed, if the status is success
 * @param byteCount bytes received or read
 * @param hasImmediate whether immediate data came
 * @param immediate the immediate data, 0 without
 * @param hasInvalidatedRkey whether an STag was invalidated
 * @param invalidatedRkey the STag, 0 without
 * @param qpNumber the queue pair's number
 * @param vendorError the provider's own error number
 * @param sourceQpNumber the number of the queue pair that a datagram came from
 */
public record Completion(
        long wrId,
        WcStatus status,
        WcOpcode opcode,
        long byteCount,
        boolean hasImmediate,
        long immediate,
        boolean hasInvalidatedRkey,
        int invalidatedRkey,
        int qpNumber,
        int vendorError,
        int sourceQpNumber) {

    /** Copies {@code completion}. */
    public static Completion of(WorkCompletion completion) {
        return new Completion(
                completion.wrId(),
                completion.status(),
                completion.opcode(),
                completion.byteCount(),
                completion.hasImmediate(),
                completion.immediate(),
                completion.hasInvalidatedRkey(),
                completion.invalidatedRkey(),
                completion.qpNumber(),
                completion.vendorError(),
                completion.sourceQpNumber());
    }

    /** Tells whether the status is success. */
    public boolean ok() {
        return status == WcStatus.SUCCESS;
    }
}
