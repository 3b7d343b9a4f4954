package org.panamaverbs.ibverbs.device;

import java.util.List;
import org.panamaverbs.api.device.DeviceInfo.Transport;
import org.panamaverbs.ibverbs.facts.DeviceFacts;

/**
 * What is known of a driver and cannot be queried.
 *
 * @param name the driver's name
 * @param description for people
 * @param critical whether posting and polling only touch memory and ring a doorbell by a store: then calls may be
 *     critical ({@link java.lang.foreign.Linker.Option#critical})
 * @param zeroBased whether a registration may have another address for the peer than for the process
 * @param localInvalidate whether the user-space driver takes local invalidate requests where the device claims the
 *     memory management extensions
 * @param readSinkLocalWrite whether an RDMA Read's sink does without the remote write right
 * @param quirks where the data path has to make up for it
 */
record Driver(
        String name,
        String description,
        boolean critical,
        boolean zeroBased,
        boolean localInvalidate,
        boolean readSinkLocalWrite,
        Quirks quirks) {
    // drivers/infiniband/sw/siw/siw.h: SIW_VENDOR_ID, "bmt" in ASCII
    private static final int SIW_VENDOR = 0x626d74;
    // drivers/infiniband/sw/rxe/rxe.h: RXE_VENDOR_ID
    private static final int RXE_VENDOR = 0xffffff;

    /**
     * Software iWARP. Not critical: posting rings the doorbell by a system call, which may block. Not zero based:
     * siw_reg_user_mr() ignores the address that the peer is to use. No local invalidate: siw's user-space half refuses
     * the opcode although its kernel half, and so the capability flag, has it. The sink of a Read is judged by the
     * local write right alone (siw_qp_rx.c).
     */
    private static final Driver SIW =
            new Driver("siw", "software iWARP of the kernel (siw)", false, false, false, true, Quirks.SIW);

    /** Software RoCE. Not critical: rings the doorbell by a system call (ibv_cmd_post_send), which does the sending. */
    private static final Driver RXE =
            new Driver("rdma_rxe", "software RoCE of the kernel (rxe)", false, true, true, true, Quirks.RXE);

    /**
     * Drivers whose user-space half posts by stores to memory and to a mapped doorbell, and polls by loads: a call
     * takes well below a microsecond and neither waits nor enters the kernel (read in rdma-core 65, driver by driver on
     * the guide's page {@code ibverbs}). Others stay out: bnxt_re waits at its doorbell for as long as the device is
     * congested, and bnxt_re, irdma, cxgb4 and hns call the kernel in rare states of a queue, in which a collector must
     * not wait either; erdma_modify_qp() has the locks of both queues while the kernel changes the state, for which a
     * post of another thread waits; hfi1 and qib do much by system calls; and of the rest nobody has asked for more.
     */
    private static final List<String> MAPPED_DOORBELL = List.of("mlx4", "mlx5", "efa");

    /**
     * Drivers whose user-space half has {@code IBV_WR_LOCAL_INV} (the post_send of each in rdma-core 65). In the
     * others, such as bnxt_re, hns, erdma and cxgb4, a post of it is refused although the kernel's half claims the
     * extensions.
     */
    private static final List<String> INVALIDATES = List.of("mlx4", "mlx5", "irdma", "ionic");

    /** Returns the driver of the device that has these facts. */
    static Driver of(DeviceFacts facts) {
        return of(facts.vendorId(), facts.kernelDriver(), facts.name(), facts.transport());
    }

    /**
     * Returns the driver. Software devices are told by their vendor's number, since they have no driver in sysfs; the
     * rest by its name, or failing that by the device's, which the kernel derives from it (mlx5_0) unless udev renames.
     */
    static Driver of(int vendor, String kernelDriver, String device, Transport transport) {
        if (vendor == SIW_VENDOR) {
            return SIW;
        }
        if (vendor == RXE_VENDOR) {
            return RXE;
        }
        String name = kernelDriver.isEmpty() ? device : kernelDriver;
        boolean mapped = MAPPED_DOORBELL.stream().anyMatch(name::startsWith);
        boolean invalidates = INVALIDATES.stream().anyMatch(name::startsWith);
        // On iWARP a Read's data come as a tagged message to the sink's STag, for which adapters want remote write.
        boolean localSink = transport != Transport.IWARP;
        return new Driver(name, "driver " + name, mapped, true, invalidates, localSink, Quirks.NONE);
    }
}
