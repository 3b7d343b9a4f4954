package org.panamaverbs.api;

/** A destination for datagrams, {@code struct ibv_ah}; see {@link ProtectionDomain#addressHandle}. */
public interface AddressHandle extends AutoCloseable {
    /** Returns what it was made with. */
    AddressHandleConfig config();

    @Override
    void close();
}
