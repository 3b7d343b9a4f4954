package org.panamaverbs.disni.prepared;

import com.ibm.disni.verbs.IbvSge;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.SgList;
import org.panamaverbs.disni.objects.AllMemory;
import org.panamaverbs.disni.objects.Failures;

/** The pieces of a prepared work request, ready to be posted again and again. */
final class Pieces {
    private static final int MOST = 256;

    private final Piece[] pieces;
    private final @Nullable SgList list;

    Pieces(String operation, @Nullable List<IbvSge> sges) throws IOException {
        int count = sges == null ? 0 : sges.size();
        if (count > MOST) {
            throw Failures.unsupported(operation, count + " scatter/gather elements; at most " + MOST);
        }
        pieces = count == 0 || sges == null
                ? Piece.NONE
                : sges.stream().map(Piece::new).toArray(Piece[]::new);
        list = count > 1 ? SgList.ofCapacity(count) : null;
    }

    int count() {
        return pieces.length;
    }

    Piece get(int index) {
        return pieces[index];
    }

    /** Returns the pieces as they are now, null if there are fewer than two. */
    @Nullable
    SgList list() {
        SgList filled = list;
        if (filled != null) {
            filled.clear();
            for (Piece piece : pieces) {
                filled.add(piece.getAddr(), piece.octets(), piece.getLkey());
            }
        }
        return filled;
    }

    /** Returns the sum of the lengths in bytes. */
    long octets() {
        long sum = 0;
        for (Piece piece : pieces) {
            sum += piece.octets();
        }
        return sum;
    }

    /** Copies all of them, one behind the other, into {@code target}, which has the room. */
    void gather(MemorySegment target) {
        long at = 0;
        for (Piece piece : pieces) {
            MemorySegment.copy(AllMemory.SEGMENT, piece.getAddr(), target, at, piece.octets());
            at += piece.octets();
        }
    }
}
