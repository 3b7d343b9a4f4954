package org.panamaverbs.examples.nvme.wire;

import static org.panamaverbs.examples.nvme.wire.LittleEndian.BYTE;
import static org.panamaverbs.examples.nvme.wire.LittleEndian.INT;
import static org.panamaverbs.examples.nvme.wire.LittleEndian.SHORT;

import java.lang.foreign.MemorySegment;

/**
 * What Identify says of a controller, as far as the examples want it.
 *
 * @param controllerId its id
 * @param serial the serial number, up to 20 bytes
 * @param model the model, up to 40 bytes
 * @param maxTransferShift a command's data is at most 4096 shifted by this, 0 for no limit
 * @param writeCache whether what was written needs a Flush to be kept for good
 * @param capsuleBytes bytes of a command capsule on I/O queues, its 64 bytes included; a multiple of 16
 * @param subsystem the name of the subsystem
 */
public record ControllerData(
        int controllerId,
        String serial,
        String model,
        int maxTransferShift,
        boolean writeCache,
        int capsuleBytes,
        String subsystem) {
    /** Bytes of the data. */
    public static final int BYTES = 4096;
    /** How many asynchronous events a controller can be asked for at once. */
    public static final int ASYNC_EVENTS = 4;

    private static final int SERIAL = 4;
    private static final int MODEL = 24;
    private static final int FIRMWARE = 64;
    private static final int SHARING = 76;
    private static final int MAX_TRANSFER = 77;
    private static final int CONTROLLER_ID = 78;
    private static final int VERSION = 80;
    private static final int CONTROLLER_TYPE = 111;
    private static final int ABORTS_LESS_ONE = 258;
    private static final int ASYNC_EVENTS_LESS_ONE = 259;
    private static final int KEEP_ALIVE_UNIT = 320;
    private static final int COMMAND_ENTRY = 512;
    private static final int RESPONSE_ENTRY = 513;
    private static final int MAX_COMMANDS = 514;
    private static final int NAMESPACES = 516;
    private static final int WRITE_CACHE = 525;
    private static final int SGLS = 536;
    private static final int SUBSYSTEM = 768;
    private static final int SUBSYSTEM_BYTES = 256;
    private static final int COMMAND_CAPSULE = 1792;
    private static final int RESPONSE_CAPSULE = 1796;
    private static final int DESCRIPTORS = 1803;

    // SGLs at all, keyed ones, and data at an offset in the capsule.
    private static final int KEYED_AND_IN_CAPSULE = 1 | 1 << 2 | 1 << 20;

    /** Writes the data from {@code at} on in {@code segment}; {@code depth} is that of the deepest queue. */
    public void encode(MemorySegment segment, long at, int depth) {
        MemorySegment data = segment.asSlice(at, BYTES).fill((byte) 0);
        LittleEndian.putText(data, SERIAL, 20, serial, ' ');
        LittleEndian.putText(data, MODEL, 40, model, ' ');
        LittleEndian.putText(data, FIRMWARE, 8, "1", ' ');
        data.set(BYTE, SHARING, (byte) 2); // more than one controller
        data.set(BYTE, MAX_TRANSFER, (byte) maxTransferShift);
        data.set(SHORT, CONTROLLER_ID, (short) controllerId);
        data.set(INT, VERSION, Property.VERSION_1_3);
        data.set(BYTE, CONTROLLER_TYPE, (byte) 1); // I/O
        data.set(BYTE, ABORTS_LESS_ONE, (byte) 3);
        data.set(BYTE, ASYNC_EVENTS_LESS_ONE, (byte) (ASYNC_EVENTS - 1));
        data.set(SHORT, KEEP_ALIVE_UNIT, (short) 10); // a second
        data.set(BYTE, COMMAND_ENTRY, (byte) 0x66); // at least and at most 64 bytes
        data.set(BYTE, RESPONSE_ENTRY, (byte) 0x44);
        data.set(SHORT, MAX_COMMANDS, (short) depth);
        data.set(INT, NAMESPACES, 1);
        data.set(BYTE, WRITE_CACHE, (byte) (writeCache ? 1 : 0));
        data.set(INT, SGLS, KEYED_AND_IN_CAPSULE);
        LittleEndian.putText(data, SUBSYSTEM, SUBSYSTEM_BYTES, subsystem, '\0');
        data.set(INT, COMMAND_CAPSULE, capsuleBytes / 16);
        data.set(INT, RESPONSE_CAPSULE, Response.BYTES / 16);
        data.set(BYTE, DESCRIPTORS, (byte) 1);
    }

    /** Returns what the data from {@code at} on in {@code segment} says. */
    public static ControllerData decode(MemorySegment segment, long at) {
        MemorySegment data = segment.asSlice(at, BYTES);
        return new ControllerData(
                LittleEndian.unsignedShort(data, CONTROLLER_ID),
                LittleEndian.text(data, SERIAL, 20),
                LittleEndian.text(data, MODEL, 40),
                LittleEndian.unsignedByte(data, MAX_TRANSFER),
                (data.get(BYTE, WRITE_CACHE) & 1) != 0,
                // Beyond what anybody sends it would only be a number too large.
                (int) Math.min(Integer.toUnsignedLong(data.get(INT, COMMAND_CAPSULE)) * 16, 1 << 20),
                LittleEndian.text(data, SUBSYSTEM, SUBSYSTEM_BYTES));
    }
}
