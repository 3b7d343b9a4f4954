package org.panamaverbs.spi.software;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.ReceiveList;
import org.panamaverbs.api.SgList;
import org.panamaverbs.memory.Access;

/**
 * The scatter/gather entries (SGEs) of a request: filled by a post, resolved to memory regions when the request is
 * carried out, reused for the next. Inline data is an SGE that needs no resolving.
 */
public final class SgEntries {
    private final long[] addresses;
    private final long[] lengths;
    private final int[] keys;
    private final @Nullable Region[] regions;
    private final Region inline;
    private int count;
    private boolean isInline;
    private boolean isGone;
    private long totalBytes;

    SgEntries(int capacity, int inlineBytes) {
        addresses = new long[Math.max(1, capacity)];
        lengths = new long[addresses.length];
        keys = new int[addresses.length];
        regions = new Region[addresses.length];
        inline = new Region(MemorySegment.ofArray(new byte[inlineBytes]), 0, 0, null);
    }

    /** Returns how many pieces the post had, which may be more than there is room for. */
    int count() {
        return count;
    }

    /** Returns the total length in bytes. */
    public long totalBytes() {
        return totalBytes;
    }

    /** Tells whether inline data could not be copied, as their arena is closed. */
    boolean isGone() {
        return isGone;
    }

    /** Sets a single SGE: {@code length} bytes from {@code address} of the region {@code key}. */
    public void setOne(long address, long length, int key) {
        isInline = false;
        isGone = false;
        count = 1;
        addresses[0] = address;
        lengths[0] = length;
        keys[0] = key;
        totalBytes = length;
    }

    /** Copies {@code list}; what does not fit is counted only. */
    void setAll(SgList list) {
        isInline = false;
        isGone = false;
        count = list.count();
        totalBytes = list.totalBytes();
        for (int i = 0; i < Math.min(count, addresses.length); i++) {
            addresses[i] = list.address(i);
            lengths[i] = list.length(i);
            keys[i] = list.lkey(i);
        }
    }

    /** Copies the pieces of receive {@code index} of {@code list}, for which there is room. */
    void setAll(ReceiveList list, int index) {
        isInline = false;
        count = list.copySges(index, addresses, lengths, keys, 0);
        totalBytes = list.totalBytes(index);
    }

    /** Copies the data, if there is room; without it, only the length is kept. */
    void setInline(MemorySegment data, long offset, long length) {
        setOne(0, length, 0);
        if (length <= inline.segment().byteSize()) {
            try {
                MemorySegment.copy(data, offset, inline.segment(), 0, length);
            } catch (IllegalStateException closed) {
                isGone = true;
            }
            regions[0] = inline;
            isInline = true;
        }
    }

    /** Copies what the pieces name, which are resolved, so that the memory is free again. */
    void takeInline() {
        long taken = 0;
        for (int i = 0; i < count; i++) {
            Region from = regions[i];
            if (from != null) {
                MemorySegment.copy(from.segment(), addresses[i] - from.base(), inline.segment(), taken, lengths[i]);
                taken += lengths[i];
            }
        }
        setOne(0, taken, 0);
        regions[0] = inline;
        isInline = true;
    }

    /** Finds the region of each piece; false if one may not be accessed so. A piece of no bytes needs no region. */
    boolean resolve(RegionTable table, ProtectionDomain domain, @Nullable Access right) {
        if (isInline) {
            return true;
        }
        for (int i = 0; i < count; i++) {
            regions[i] = null;
            if (lengths[i] != 0) {
                Region region = table.find(keys[i]);
                if (region == null || !region.grants(domain, addresses[i], lengths[i], right)) {
                    return false;
                }
                regions[i] = region;
            }
        }
        return true;
    }

    /** Copies all bytes to {@code target}, which is long enough; both are resolved. */
    public void copyTo(SgEntries target) {
        int to = 0;
        long filled = 0;
        for (int i = 0; i < count; i++) {
            Region source = regions[i];
            for (long done = 0; source != null && done < lengths[i]; ) {
                while (filled == target.lengths[to]) {
                    to++;
                    filled = 0;
                }
                long some = Math.min(lengths[i] - done, target.lengths[to] - filled);
                Region sink = target.region(to);
                MemorySegment.copy(
                        source.segment(),
                        addresses[i] - source.base() + done,
                        sink.segment(),
                        target.addresses[to] - sink.base() + filled,
                        some);
                done += some;
                filled += some;
            }
        }
    }

    /** Returns the memory of the only SGE, which is resolved and not empty. */
    public MemorySegment segment() {
        return region(0).segment();
    }

    /** Returns the offset of the only SGE in {@link #segment()}. */
    public long offset() {
        return addresses[0] - region(0).base();
    }

    /** Stores 8 bytes at the only SGE. */
    public void setLong(long value) {
        segment().set(ValueLayout.JAVA_LONG_UNALIGNED, offset(), value);
    }

    private Region region(int index) {
        Region region = regions[index];
        if (region == null) {
            throw new AssertionError("piece " + index + " is not resolved");
        }
        return region;
    }
}
