package org.panamaverbs.api;

import java.lang.foreign.MemorySegment;

/**
 * A native queue pair or completion queue that a vendor's call created on an open device, such as
 * {@code mlx5dv_create_qp} or {@code efadv_create_qp_ex}, and that the API is to use: the reverse of
 * {@link NativeObject}. {@link ProtectionDomain#adopt} and {@link Verbs#adopt} take it.
 *
 * <p>The address must be that of a live object, and stays so until the adopted object is closed: it is read and handed
 * to the driver, and a wrong one can end the process. What the native structure says of itself is compared with what
 * the caller says. While it is adopted, nobody else may post to it, poll it, arm it or change its state.
 *
 * @param address of the {@code struct ibv_qp} or {@code struct ibv_cq}, not 0
 * @param number of the queue pair ({@code qp_num}); 0 of a completion queue
 * @param owner whose call destroys the native object
 * @param setDestination the address of the vendor's function that sets where a send goes, 0 if sends carry their
 *     destination themselves ({@code ibv_send_wr.wr.ud})
 * @param destinationOf what that function gets first
 */
public record Adoption(long address, int number, Owner owner, long setDestination, long destinationOf) {
    /** Whose call destroys an adopted object. */
    public enum Owner {
        /** Closing the adopted object destroys the native one, by {@code ibv_destroy_qp} or {@code ibv_destroy_cq}. */
        LIBRARY,
        /** The caller destroys the native object after closing the adopted one, which makes no call that ends it. */
        CALLER
    }

    /**
     * Checks the address.
     *
     * @throws IllegalArgumentException if it is 0 or not aligned to 8 bytes
     */
    public Adoption {
        if (address == 0 || address % Long.BYTES != 0) {
            throw new IllegalArgumentException(
                    "adopt the object at 0x%x: no structure of libibverbs can be there;".formatted(address)
                            + " remedy: pass the pointer that the vendor's call returned, and handle its NULL first");
        }
    }

    /**
     * Returns {@code queuePair}, a {@code struct ibv_qp *} with number {@code number}, which the caller destroys.
     *
     * @throws IllegalArgumentException if it is NULL
     */
    public static Adoption queuePair(MemorySegment queuePair, int number) {
        return new Adoption(queuePair.address(), number, Owner.CALLER, 0, 0);
    }

    /**
     * Returns {@code queue}, a {@code struct ibv_cq *} or {@code struct ibv_cq_ex *}, which the caller destroys.
     *
     * @throws IllegalArgumentException if it is NULL
     */
    public static Adoption completionQueue(MemorySegment queue) {
        return new Adoption(queue.address(), 0, Owner.CALLER, 0, 0);
    }

    /** Returns a copy with another owner. */
    public Adoption withOwner(Owner newOwner) {
        return new Adoption(address, number, newOwner, setDestination, destinationOf);
    }

    /**
     * Returns a copy of a queue pair that is posted to by {@code ibv_wr_start(3)} and its kind, with its destinations
     * set by a function of the vendor's, as a DC initiator of mlx5: {@code wr_set_dc_addr} of {@code struct
     * mlx5dv_qp_ex}. Both must outlive the adopted queue pair.
     *
     * @param function {@code void (*)(void *object, struct ibv_ah *, uint32_t number, uint64_t key)}; the key is the
     *     {@code qkey} of the datagram, without sign
     * @param object its first argument, such as what {@code mlx5dv_qp_ex_from_ibv_qp_ex} returns
     */
    public Adoption withDestinations(MemorySegment function, MemorySegment object) {
        return new Adoption(address, number, owner, function.address(), object.address());
    }
}
