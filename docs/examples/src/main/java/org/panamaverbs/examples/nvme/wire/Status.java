package org.panamaverbs.examples.nvme.wire;

/** What a response says: status code type and code as in {@code linux/nvme.h}, and whether it makes sense to retry. */
public final class Status {
    /** All was right. */
    public static final int SUCCESS = 0x000;
    /** There is no such command, or not here. */
    public static final int INVALID_OPCODE = 0x001;
    /** A field of the command has no legal value. */
    public static final int INVALID_FIELD = 0x002;
    /** There is no such namespace. */
    public static final int INVALID_NAMESPACE = 0x00B;
    /** Not now: the queue is not connected, or the controller not enabled. */
    public static final int SEQUENCE_ERROR = 0x00C;
    /** The descriptor has another length than the data of the command. */
    public static final int SGL_LENGTH = 0x00F;
    /** The descriptor is of no kind that there is. */
    public static final int SGL_TYPE = 0x011;
    /** The data would lie beyond the capsule, or beyond all addresses. */
    public static final int SGL_OFFSET = 0x016;
    /** Blocks beyond the end of the namespace. */
    public static final int LBA_RANGE = 0x080;
    /** More asynchronous events are asked for than the controller can hold. */
    public static final int ASYNC_LIMIT = 0x105;
    /** There is no such log. */
    public static final int INVALID_LOG_PAGE = 0x109;
    /** Connect: its format is not known. */
    public static final int CONNECT_FORMAT = 0x180;
    /** Connect: the queue is there already. */
    public static final int CONNECT_BUSY = 0x181;
    /** Connect: a parameter is wrong, such as the subsystem's name. */
    public static final int CONNECT_PARAMETER = 0x182;

    /** Do not retry: it would fail again. */
    public static final int DO_NOT_RETRY = 0x4000;

    private Status() {}

    /** Returns {@code status} for people. */
    public static String text(int status) {
        String name = switch (status & 0x7FF) {
            case SUCCESS -> "success";
            case INVALID_OPCODE -> "invalid opcode";
            case INVALID_FIELD -> "invalid field";
            case INVALID_NAMESPACE -> "invalid namespace";
            case SEQUENCE_ERROR -> "command sequence error";
            case SGL_LENGTH -> "SGL of another length than the data";
            case SGL_TYPE -> "SGL type";
            case SGL_OFFSET -> "SGL offset";
            case LBA_RANGE -> "blocks out of range";
            case ASYNC_LIMIT -> "too many asynchronous event requests";
            case INVALID_LOG_PAGE -> "invalid log page";
            case CONNECT_FORMAT -> "connect: format";
            case CONNECT_BUSY -> "connect: busy";
            case CONNECT_PARAMETER -> "connect: invalid parameter";
            default -> "see NVM Express, status codes";
        };
        return String.format("status 0x%03x (%s)", status & 0x7FF, name);
    }
}
