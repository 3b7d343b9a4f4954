package org.panamaverbs.api.ext;

import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;

/**
 * Sharing of a device's objects among processes: {@code ibv_import_device(3)} and related calls. The creating process
 * passes {@link #commandDescriptor} (a copy by {@code SCM_RIGHTS}) and the objects' numbers to another process, which
 * opens the device with the provider option {@code command_fd} and imports the objects here.
 *
 * <p>Closing an imported object leaves the original alone; the original must outlive it. The processes must agree on
 * which of them does what. Any thread may call any method.
 */
public interface ObjectSharing {
    /** Returns the file descriptor of this open device in the kernel; the device owns it. */
    int commandDescriptor();

    /**
     * Returns the kernel's number of {@code domain} on this open device.
     *
     * @throws IllegalArgumentException if it is of another device
     */
    int numberOf(ProtectionDomain domain);

    /**
     * Returns the kernel's number of {@code buffer} on this open device.
     *
     * @throws IllegalArgumentException if it is of another device
     * @throws IllegalStateException if it is closed
     */
    int numberOf(RegisteredBuffer buffer);

    /**
     * Returns the kernel's number of {@code memory} on this open device.
     *
     * @throws IllegalArgumentException if it is of another device
     */
    int numberOf(DeviceMemory memory);

    /**
     * Imports a protection domain: {@code ibv_import_pd(3)}.
     *
     * @param number {@link #numberOf(ProtectionDomain)} in the creating process
     * @throws ResourceException if there is no such domain, or the device does not support it
     */
    ProtectionDomain importDomain(int number);

    /**
     * Imports a memory region: {@code ibv_import_mr(3)}. The buffer has no segment, as the memory belongs to the other
     * process; requests address it by offset.
     *
     * @param domain an imported domain of this device
     * @param number {@link #numberOf(RegisteredBuffer)} in the creating process
     * @param taggedOffset {@link RegisteredBuffer#iova()} there
     * @param bytes {@link RegisteredBuffer#length()} there
     * @param access the rights it was registered with
     * @throws ResourceException if there is no such region, or the device does not support it
     */
    RegisteredBuffer importBuffer(ProtectionDomain domain, int number, long taggedOffset, long bytes, Access... access);

    /**
     * Imports memory of the device: {@code ibv_import_dm(3)}.
     *
     * @param number {@link #numberOf(DeviceMemory)} in the creating process
     * @param bytes {@link DeviceMemory#length()} there
     * @throws ResourceException if there is no such memory, or the device does not support it
     */
    DeviceMemory importMemory(int number, long bytes);
}
