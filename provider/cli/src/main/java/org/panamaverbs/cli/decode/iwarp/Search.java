package org.panamaverbs.cli.decode.iwarp;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.panamaverbs.cli.decode.dissect.HeaderCheck;

/**
 * Looks for an FPDU in a stream whose framing is not known: octets that can be its header, and either its CRC is right
 * or, where there are no CRCs, others follow it at the right places.
 */
final class Search {
    /** In place of an index: not found yet. */
    static final int NOT_FOUND = -1;

    /** Headers in a row that count as found where there is no CRC to tell. */
    private static final int CHAIN = 3;

    private static final int ALIGNMENT = 4;
    private static final int MAX_BUFFER_BYTES = 256 << 10;
    private static final int MAX_CANDIDATES = 1024;
    // Whoever made the capture may have made it so that everything in it looks like an FPDU.
    private static final long MAX_CRC_BYTES = 64 << 20;

    /** A place that may be the beginning of an FPDU, of which not enough is there to tell. */
    private static final class Candidate {
        final long position;
        boolean crcJudged;
        // How far the stream must have come to tell more.
        long neededTo;

        Candidate(long position) {
            this.position = position;
        }
    }

    private final StreamBuffer buffer;
    private final FpduReader reader;
    private final boolean rdmac;
    private final boolean aligned;
    private final boolean knownIwarp;
    private final boolean chains;
    private final boolean crcs;
    private final long limitBytes;
    private final List<Candidate> candidates = new ArrayList<>();
    private final long begin;
    private long next;
    private long crcBytes;
    private long judgements;

    /**
     * Searches from the front of the buffer on.
     *
     * @param aligned whether FPDUs lie at multiples of four from where the stream began
     * @param crc whether there are CRCs; with {@link Crc#UNKNOWN} one that is right is enough
     * @param knownIwarp whether there must be FPDUs, so that one may be known by others that follow where no CRC can
     *     tell
     * @param limitBytes after how many octets to give up
     */
    Search(
            StreamBuffer buffer,
            FpduReader reader,
            boolean aligned,
            Crc crc,
            boolean knownIwarp,
            boolean rdmac,
            long limitBytes) {
        this.buffer = buffer;
        this.reader = reader;
        this.aligned = aligned;
        this.knownIwarp = knownIwarp;
        chains = knownIwarp && crc != Crc.ON;
        this.crcs = crc != Crc.OFF;
        this.rdmac = rdmac;
        this.limitBytes = limitBytes;
        begin = buffer.position();
        next = begin;
    }

    long begin() {
        return begin;
    }

    /** Octets that were passed over so far, up to the front of the buffer. */
    long passedOver() {
        return buffer.position() - begin;
    }

    /** How often a place was judged so far, which is what a search costs beside its CRCs. */
    long judgements() {
        return judgements;
    }

    /** True when it is time to give up. */
    boolean exhausted() {
        return next - begin > limitBytes || crcBytes > MAX_CRC_BYTES;
    }

    /**
     * Looks at what is new in the buffer.
     *
     * @param atEnd whether nothing more will come, so that a shorter chain that ends with the stream counts as well
     * @return the index of an FPDU, or {@link #NOT_FOUND}; then the front of the buffer may be gone
     */
    int find(boolean atEnd) {
        for (Iterator<Candidate> known = candidates.iterator(); known.hasNext(); ) {
            Candidate candidate = known.next();
            if (!atEnd && buffer.position() + buffer.size() < candidate.neededTo) {
                continue;
            }
            Verdict verdict = judge(candidate, atEnd);
            if (verdict == Verdict.FOUND) {
                return (int) (candidate.position - buffer.position());
            }
            if (verdict == Verdict.WRONG) {
                known.remove();
            }
        }
        for (; next < buffer.position() + buffer.size() && !exhausted(); next++) {
            int index = (int) (next - buffer.position());
            if (aligned && reader.streamPosition(index) % ALIGNMENT != 0) {
                continue;
            }
            if (buffer.size() - index < reader.headSize(index)) {
                break;
            }
            if (isHead(index)) {
                Candidate candidate = new Candidate(next);
                Verdict verdict = judge(candidate, atEnd);
                if (verdict == Verdict.FOUND) {
                    return index;
                }
                if (verdict == Verdict.OPEN) {
                    candidates.add(candidate);
                }
            }
        }
        forget();
        return NOT_FOUND;
    }

    private enum Verdict {
        FOUND,
        OPEN,
        WRONG
    }

    private Verdict judge(Candidate candidate, boolean atEnd) {
        judgements++;
        int index = (int) (candidate.position - buffer.position());
        int size = reader.sizeAt(index);
        if (buffer.size() - index < size) {
            candidate.neededTo = candidate.position + size;
            return atEnd ? Verdict.WRONG : Verdict.OPEN;
        }
        boolean whole = buffer.firstMissing(index, index + size) == index + size;
        if (!whole) {
            return knownIwarp ? chain(candidate, atEnd) : Verdict.WRONG; // no CRC can tell
        }
        if (crcs && !candidate.crcJudged) {
            candidate.crcJudged = true;
            crcBytes += size;
            if (crcBytes <= MAX_CRC_BYTES && reader.crcMatches(index, size)) {
                return Verdict.FOUND;
            }
        }
        return chains ? chain(candidate, atEnd) : Verdict.WRONG;
    }

    private Verdict chain(Candidate candidate, boolean atEnd) {
        int at = (int) (candidate.position - buffer.position());
        for (int i = 1; i < CHAIN; i++) {
            at += reader.sizeAt(at);
            if (at == buffer.size() && atEnd) {
                return Verdict.FOUND;
            }
            int head = reader.headSize(at);
            if (buffer.size() - at < head) {
                candidate.neededTo = buffer.position() + at + head;
                return atEnd ? Verdict.WRONG : Verdict.OPEN;
            }
            if (!isHead(at)) {
                return Verdict.WRONG;
            }
        }
        return Verdict.FOUND;
    }

    private boolean isHead(int index) {
        if (!reader.mayBeHead(index)) {
            return false;
        }
        int end = index + reader.headSize(index);
        return HeaderCheck.plausible(reader.head(index), rdmac) && buffer.firstMissing(index, end) == end;
    }

    /** Drops what cannot be part of an FPDU any more, or is too much. */
    private void forget() {
        while (candidates.size() > MAX_CANDIDATES
                || (!candidates.isEmpty() && next - candidates.getFirst().position > MAX_BUFFER_BYTES)) {
            candidates.removeFirst();
        }
        long keep = candidates.isEmpty() ? next : candidates.getFirst().position;
        buffer.drop((int) Math.min(keep - buffer.position(), buffer.size()));
    }
}
