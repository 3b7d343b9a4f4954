package org.panamaverbs.examples.nvme.controller;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.panamaverbs.examples.nvme.wire.Command;
import org.panamaverbs.examples.nvme.wire.ControllerData;
import org.panamaverbs.examples.nvme.wire.Opcode;
import org.panamaverbs.examples.nvme.wire.Status;

/** The admin commands. */
final class Admin {
    private static final int INVALID = Status.INVALID_FIELD | Status.DO_NOT_RETRY;

    private static final int IDENTIFY_NAMESPACE = 0;
    private static final int IDENTIFY_CONTROLLER = 1;
    private static final int IDENTIFY_ACTIVE = 2;
    private static final int IDENTIFY_DESCRIPTORS = 3;
    private static final byte UNIQUE_ID = 2; // a descriptor of a NGUID, of 16 bytes
    private static final int UNIQUE_ID_BYTES = 16;

    private static final int FEATURE_QUEUES = 0x07;
    private static final int FEATURE_EVENTS = 0x0B;
    private static final int FEATURE_KEEP_ALIVE = 0x0F;

    private static final int LOG_ERRORS = 1;
    private static final int LOG_HEALTH = 2;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Subsystem subsystem;

    Admin(Subsystem subsystem) {
        this.subsystem = subsystem;
    }

    /** Begins a command of the host of {@code controller}; returns its status. */
    int begin(Controller controller, Request request) {
        Command command = request.command();
        controller.heard();
        return switch (command.opcode()) {
            case Opcode.IDENTIFY -> identify(controller, request);
            case Opcode.GET_LOG_PAGE -> log(request);
            case Opcode.SET_FEATURES -> setFeature(controller, request);
            case Opcode.GET_FEATURES -> feature(controller, request);
            case Opcode.ASYNC_EVENT ->
                controller.holdEvent(ControllerData.ASYNC_EVENTS)
                        ? request.hold()
                        : Status.ASYNC_LIMIT | Status.DO_NOT_RETRY;
            case Opcode.ABORT -> request.answer(1); // it was not aborted
            case Opcode.KEEP_ALIVE -> Status.SUCCESS;
            default -> Status.INVALID_OPCODE | Status.DO_NOT_RETRY;
        };
    }

    private int identify(Controller controller, Request request) {
        int id = request.command().namespace();
        MemorySegment data = request.scratch().fill((byte) 0);
        switch (request.command().dword(10) & 0xFF) {
            case IDENTIFY_CONTROLLER ->
                describe(controller).encode(data, 0, subsystem.limits().depth());
            case IDENTIFY_NAMESPACE -> {
                // One that is not active is described by zeros.
                if (id == Namespace.ID) {
                    subsystem.namespace().describe().encode(data, 0);
                }
            }
            case IDENTIFY_ACTIVE -> {
                // The active ones with a greater id than this.
                if (Integer.compareUnsigned(id, Namespace.ID) < 0) {
                    data.set(INT, 0, Namespace.ID);
                }
            }
            case IDENTIFY_DESCRIPTORS -> {
                if (id != Namespace.ID) {
                    return Status.INVALID_NAMESPACE | Status.DO_NOT_RETRY;
                }
                data.set(ValueLayout.JAVA_BYTE, 0, UNIQUE_ID);
                data.set(ValueLayout.JAVA_BYTE, 1, (byte) UNIQUE_ID_BYTES);
                data.set(INT, 4, subsystem.name().hashCode());
                data.set(INT, UNIQUE_ID_BYTES, Namespace.ID);
            }
            default -> {
                return INVALID;
            }
        }
        return request.moveScratch(Request.Data.TO_HOST, Limits.DATA_BYTES);
    }

    private ControllerData describe(Controller controller) {
        return new ControllerData(
                controller.id(),
                String.format("PV%08x", subsystem.name().hashCode()),
                "Panama Verbs example",
                Limits.MAX_TRANSFER_SHIFT,
                subsystem.namespace().isFile(),
                Limits.CAPSULE_BYTES,
                subsystem.name());
    }

    /** Begins a log: there were no errors, and the controller has a temperature. */
    private int log(Request request) {
        int page = request.command().dword(10) & 0xFF;
        long bytes = ((request.command().dword(10) >>> 16) + ((request.command().dword(11) & 0xFFFFL) << 16) + 1)
                * Integer.BYTES;
        if (page != LOG_ERRORS && page != LOG_HEALTH) {
            return Status.INVALID_LOG_PAGE | Status.DO_NOT_RETRY;
        }
        if (bytes > Limits.DATA_BYTES || request.command().qword(12) != 0) {
            return INVALID;
        }
        MemorySegment data = request.scratch().fill((byte) 0);
        if (page == LOG_HEALTH) {
            int roomTemperature = 300; // Kelvin
            data.set(INT, 0, roomTemperature << 8);
        }
        return request.moveScratch(Request.Data.TO_HOST, (int) bytes);
    }

    private int setFeature(Controller controller, Request request) {
        int value = request.command().dword(11);
        switch (request.command().dword(10) & 0xFF) {
            case FEATURE_QUEUES -> {
                // As many as were asked for, or all: both numbers less one.
                int queues = subsystem.limits().queues() - 1;
                return request.answer(Math.min(value & 0xFFFF, queues) | Math.min(value >>> 16, queues) << 16);
            }
            case FEATURE_KEEP_ALIVE -> controller.setKeepAlive(value);
            case FEATURE_EVENTS -> {
                // None ever happens.
            }
            default -> {
                return INVALID;
            }
        }
        return Status.SUCCESS;
    }

    private int feature(Controller controller, Request request) {
        int queues = subsystem.limits().queues() - 1;
        return switch (request.command().dword(10) & 0xFF) {
            case FEATURE_QUEUES -> request.answer(queues | queues << 16);
            case FEATURE_KEEP_ALIVE -> request.answer(controller.keepAliveMillis());
            default -> INVALID;
        };
    }
}
