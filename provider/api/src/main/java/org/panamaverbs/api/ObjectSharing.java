package org.panamaverbs.api;

import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;

/**
 * Objects of a device that several processes use, {@code ibv_import_device(3)} and its like. One process makes them and
 * gives its {@link #commandDescriptor} (a copy by {@code SCM_RIGHTS}) and the objects' numbers to another, which opens
 * the device with the option {@code command_fd} of the provider and imports them here.
 *
 * <p>An imported object is closed like any other, which leaves the original alone; the original must not be closed
 * before. Which of both processes may do what is theirs to agree on. Any thread.
 */
public interface ObjectSharing {
    /** Returns the descriptor that this open device is known to the kernel by; it stays the device's. */
    int commandDescriptor();

    /**
     * Returns the kernel's number of {@code domain}, within this open device.
     *
     * @throws IllegalArgumentException if it is not of this device
     */
    int numberOf(ProtectionDomain domain);

    /**
     * Returns the kernel's number of {@code buffer}, within this open device.
     *
     * @throws IllegalArgumentException if it is not of this device
     * @throws IllegalStateException if it is closed
     */
    int numberOf(RegisteredBuffer buffer);

    /**
     * Returns the kernel's number of {@code memory}, within this open device.
     *
     * @throws IllegalArgumentException if it is not of this device
     */
    int numberOf(DeviceMemory memory);

    /**
     * Imports a protection domain ({@code ibv_import_pd(3)}).
     *
     * @param number what {@link #numberOf(ProtectionDomain)} said in the process that made it
     * @throws ResourceException if there is no such domain, or the device imports none
     */
    ProtectionDomain importDomain(int number);

    /**
     * Imports a registration ({@code ibv_import_mr(3)}). The buffer has no segment, as the memory is the other
     * process's: requests name it by offset.
     *
     * @param domain imported before, of this device
     * @param number what {@link #numberOf(RegisteredBuffer)} said there
     * @param taggedOffset what {@link RegisteredBuffer#taggedOffset()} said there
     * @param bytes what {@link RegisteredBuffer#length()} said there
     * @param access the rights that it was registered with
     * @throws ResourceException if there is no such registration, or the device imports none
     */
    RegisteredBuffer importBuffer(ProtectionDomain domain, int number, long taggedOffset, long bytes, Access... access);

    /**
     * Imports memory of the device ({@code ibv_import_dm(3)}).
     *
     * @param number what {@link #numberOf(DeviceMemory)} said in the process that allocated it
     * @param bytes what {@link DeviceMemory#length()} said there
     * @throws ResourceException if there is no such memory, or the device imports none
     */
    DeviceMemory importMemory(int number, long bytes);
}
