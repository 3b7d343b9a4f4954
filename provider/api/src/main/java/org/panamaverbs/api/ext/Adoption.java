package org.panamaverbs.api.ext;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.Verbs;

/**
 * A native queue pair or completion queue that a vendor's call created on an open device, such as
 * {@code mlx5dv_create_qp} or {@code efadv_create_qp_ex}, to be used through the API: the reverse of
 * {@link NativeObject}. Pass it to {@link ProtectionDomain#adopt} or {@link Verbs#adopt}.
 *
 * <p>The address must be that of a live object until the adopted object is closed: it is read and passed to the driver,
 * and a wrong one can end the process. The fields of the native structure are compared with the arguments. While it is
 * adopted, no other code may post to it, poll it, arm it or change its state.
 *
 * @param address of the {@code struct ibv_qp} or {@code struct ibv_cq}, not 0
 * @param number of the queue pair ({@code qp_num}); 0 for a completion queue
 * @param owner the side that destroys the native object
 * @param setDestination address of the vendor's function that sets the destination of a send; 0 if sends carry it
 *     themselves ({@code ibv_send_wr.wr.ud})
 * @param destinationOf the first argument of that function
 */
public record Adoption(long address, int number, Owner owner, long setDestination, long destinationOf) {
    /** The side that destroys an adopted object. */
    public enum Owner {
        /** Closing the adopted object destroys the native one: {@code ibv_destroy_qp} or {@code ibv_destroy_cq}. */
        LIBRARY,
        /** The caller destroys the native object after closing the adopted one, which leaves it alive. */
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
     * Returns the adoption of a {@code struct ibv_qp *} that the caller destroys.
     *
     * @param queuePair the pointer
     * @param number its {@code qp_num}
     * @throws IllegalArgumentException if the pointer is NULL
     */
    public static Adoption queuePair(MemorySegment queuePair, int number) {
        return new Adoption(queuePair.address(), number, Owner.CALLER, 0, 0);
    }

    /**
     * Returns the adoption of a {@code struct ibv_cq *} or {@code struct ibv_cq_ex *} that the caller destroys.
     *
     * @throws IllegalArgumentException if the pointer is NULL
     */
    public static Adoption completionQueue(MemorySegment queue) {
        return new Adoption(queue.address(), 0, Owner.CALLER, 0, 0);
    }

    /** Returns a copy with another owner. */
    public Adoption withOwner(Owner newOwner) {
        return new Adoption(address, number, newOwner, setDestination, destinationOf);
    }

    /**
     * Returns a copy for a queue pair whose sends use {@code ibv_wr_start(3)} with destinations set by a vendor's
     * function, such as {@code wr_set_dc_addr} of {@code struct mlx5dv_qp_ex} for a DC initiator of mlx5. Both
     * arguments must outlive the adopted queue pair.
     *
     * @param function {@code void (*)(void *object, struct ibv_ah *, uint32_t number, uint64_t key)}; the key is the
     *     {@code qkey} of the datagram, unsigned
     * @param object its first argument, such as the result of {@code mlx5dv_qp_ex_from_ibv_qp_ex}
     */
    public Adoption withDestinations(MemorySegment function, MemorySegment object) {
        return new Adoption(address, number, owner, function.address(), object.address());
    }
}
