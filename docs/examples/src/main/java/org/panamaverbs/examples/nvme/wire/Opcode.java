package org.panamaverbs.examples.nvme.wire;

/**
 * Which command it is. The two lowest bits of an opcode, and of a fabrics command's type, say where data goes: 1 to the
 * controller, 2 to the host, 0 nowhere.
 */
public final class Opcode {
    /** A fabrics command; its type says which. */
    public static final int FABRICS = 0x7F;

    /** Fabrics type: sets a property of the controller, a register where there is a bus. */
    public static final int PROPERTY_SET = 0x00;
    /** Fabrics type: makes the connection a queue of a controller. */
    public static final int CONNECT = 0x01;
    /** Fabrics type: gets a property. */
    public static final int PROPERTY_GET = 0x04;

    /** Admin: a log of the controller. */
    public static final int GET_LOG_PAGE = 0x02;
    /** Admin: what the controller or a namespace is. */
    public static final int IDENTIFY = 0x06;
    /** Admin: gives up a command. */
    public static final int ABORT = 0x08;
    /** Admin: sets a feature. */
    public static final int SET_FEATURES = 0x09;
    /** Admin: gets a feature. */
    public static final int GET_FEATURES = 0x0A;
    /** Admin: is answered when something happens. */
    public static final int ASYNC_EVENT = 0x0C;
    /** Admin: the host is still there. */
    public static final int KEEP_ALIVE = 0x18;

    /** I/O: has what was written kept for good. */
    public static final int FLUSH = 0x00;
    /** I/O: blocks from the host. */
    public static final int WRITE = 0x01;
    /** I/O: blocks to the host. */
    public static final int READ = 0x02;

    private Opcode() {}
}
