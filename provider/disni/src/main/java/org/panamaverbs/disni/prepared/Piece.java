package org.panamaverbs.disni.prepared;

import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.SVCPostSend.SgeMod;

/** A piece of local memory of a prepared work request; its length is unsigned. */
final class Piece implements SgeMod {
    static final Piece[] NONE = {};

    private long address;
    private int length;
    private int lkey;

    Piece(IbvSge sge) {
        address = sge.getAddr();
        length = sge.getLength();
        lkey = sge.getLkey();
    }

    /** Returns the length in bytes, 0 to 2^32-1. */
    long octets() {
        return Integer.toUnsignedLong(length);
    }

    @Override
    public void setAddr(long addr) {
        address = addr;
    }

    @Override
    public long getAddr() {
        return address;
    }

    @Override
    public void setLength(int newLength) {
        length = newLength;
    }

    @Override
    public int getLength() {
        return length;
    }

    @Override
    public void setLkey(int newLkey) {
        lkey = newLkey;
    }

    @Override
    public int getLkey() {
        return lkey;
    }
}
