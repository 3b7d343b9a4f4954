package org.panamaverbs.ibverbs.device;

import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.ibverbs.Ibverbs;
import org.panamaverbs.bindings.ibverbs.ibv_qp_attr;
import org.panamaverbs.bindings.ibverbs.ibv_qp_cap;
import org.panamaverbs.bindings.ibverbs.ibv_qp_init_attr;
import org.panamaverbs.ibverbs.call.Call;
import org.panamaverbs.ibverbs.call.ExtendedQueues;
import org.panamaverbs.ibverbs.call.Failure;
import org.panamaverbs.ibverbs.call.IbvCalls;

/** One try of what a device has, with throw-away objects. Used by one thread. */
final class Trial {
    private static final System.Logger LOGGER = System.getLogger(Trial.class.getName());

    private static final int PROBED_CQE = 4;
    private static final int PAGE = 4096;
    private static final int NO_FILE = -1;
    // asm-generic/errno-base.h and errno.h, of the numbers that Errno has no name for
    private static final int EBADF = 9;
    private static final int ENFILE = 23;
    private static final int ENOTTY = 25;
    private static final int EPROTONOSUPPORT = 93;
    private static final int IBV_QP_QKEY = 1 << 6; // infiniband/verbs.h: enum ibv_qp_attr_mask
    // More inline data than any driver takes; requests grow by more than the step.
    private static final int INLINE_LIMIT = 1 << 14;
    private static final int INLINE_STEP = 4;
    // What is found is less than the limit by no more than one of so many parts.
    private static final int INLINE_PARTS = 16;

    // XRC is told by a query.
    private static final Set<QueuePairType> TRIED =
            EnumSet.of(QueuePairType.RC, QueuePairType.UC, QueuePairType.UD, QueuePairType.RAW_PACKET);

    // What a datagram's address takes of the room for inline data: mlx5_wqe_datagram_seg of providers/mlx5/wqe.h.
    private static final int ADDRESS_BYTES = 48;

    private static final Map<String, Probe> KNOWN = new ConcurrentHashMap<>();

    private final Set<Feature> claimed;
    private boolean certain = true;
    private boolean forbidsRaw;
    // Whether a queue pair was refused so.
    private boolean lacksMemory;

    private Trial(Set<Feature> claimed) {
        this.claimed = claimed;
    }

    /**
     * Tries {@code context}, an open device; a later call with the same {@code key} returns what was found before. What
     * could not be tried, since the process or the device lacked something for the moment, is taken for absent and
     * tried again by the next call: who asks for it hears why it fails, others go on.
     *
     * @param key names the device, also in messages
     * @param claimed which of RAW_CLOCK, ATOMIC_WRITE and FLUSH the device claims; the others are not tried
     * @throws ResourceException if the device makes no protection domain or no completion queue, which everything needs
     */
    static Probe of(String key, MemorySegment context, Set<Feature> claimed) {
        Probe known = KNOWN.get(key);
        if (known != null) {
            return known;
        }
        Trial trial = new Trial(claimed);
        Probe found = trial.of(key, context);
        if (trial.certain) {
            KNOWN.put(key, found);
        }
        return found;
    }

    private Probe of(String device, MemorySegment context) {
        String what = "a trial of " + device;
        MemorySegment domain = IbvCalls.ALLOC_PD.pointer(what, context);
        try {
            MemorySegment queue =
                    IbvCalls.CREATE_CQ.pointer(what, context, PROBED_CQE, MemorySegment.NULL, MemorySegment.NULL, 0);
            try {
                return of(context, domain, queue);
            } catch (ResourceException e) {
                unanswered(e.operation(), e.errno());
                return new Probe(Map.of(QueuePairType.RC, 0), false, false, false, Set.of());
            } finally {
                undone(IbvCalls.DESTROY_CQ, queue);
            }
        } finally {
            undone(IbvCalls.DEALLOC_PD, domain);
        }
    }

    /** Destroys what was made to try; what cannot be destroyed is left to the end of the context. */
    private void undone(Call destroy, MemorySegment made) {
        int errno = destroy.status(made);
        if (errno != 0) {
            unanswered(destroy.name(), errno);
        }
    }

    private Probe of(MemorySegment context, MemorySegment domain, MemorySegment queue) {
        Map<QueuePairType, Integer> inline = new EnumMap<>(QueuePairType.class);
        for (QueuePairType type : TRIED) {
            int granted = granted(domain, queue, type);
            if (granted >= 0) {
                inline.put(type, granted);
            }
        }
        int known = 0;
        for (Map.Entry<QueuePairType, Integer> type : inline.entrySet()) {
            int before = type.getValue();
            type.setValue(
                    known == 0
                            ? maxInline(domain, queue, type.getKey(), before)
                            : inlineBeside(domain, queue, type.getKey(), before, known));
            known = Math.max(known, type.getValue());
        }
        Set<Feature> extended = ExtendedQueues.tried(context, this::missing);
        extended.addAll(ObjectTrial.tried(context, domain, queue, claimed, this::missing));
        return new Probe(inline, forbidsRaw, resizes(queue), registersDmaBuf(domain), extended);
    }

    /** Returns how many inline bytes a queue pair of {@code type} has that asks for none, -1 if there is none. */
    private int granted(MemorySegment domain, MemorySegment queue, QueuePairType type) {
        try {
            return grantedOutOfReset(domain, queue, type);
        } catch (ResourceException e) {
            // RAW_PACKET needs CAP_NET_RAW, which this process will not get any more. The kernel's create_qp() in
            // uverbs_cmd.c asks for it before the device is asked.
            if (type == QueuePairType.RAW_PACKET && e.errno() == Errno.EPERM) {
                forbidsRaw = true;
            } else {
                missing("ibv_create_qp of type " + type, e);
                if (type == QueuePairType.RC && isWant(e.errno())) {
                    return 0; // for the moment none can be made: who makes one hears why
                }
            }
            return -1;
        }
    }

    /**
     * Makes a queue pair and takes it to INIT: mlx5 without RoCE makes all types, and its mlx5_ib_modify_qp_allowed()
     * lets none but RAW_PACKET leave RESET. Any other refusal of that step may be due to what is asked. Returns the
     * inline bytes that it was granted, -1 if it stays in RESET.
     */
    private int grantedOutOfReset(MemorySegment domain, MemorySegment queue, QueuePairType type) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment init = ObjectTrial.smallest(arena, queue, code(type));
            MemorySegment made = IbvCalls.CREATE_QP.pointer("a probe", domain, init);
            MemorySegment attributes = ibv_qp_attr.allocate(arena);
            ibv_qp_attr.qp_state(attributes, Ibverbs.IBV_QPS_INIT());
            ibv_qp_attr.port_num(attributes, (byte) 1);
            int errno = IbvCalls.MODIFY_QP.status(made, attributes, initMask(type));
            undone(IbvCalls.DESTROY_QP, made);
            return errno == Errno.EOPNOTSUPP ? -1 : ibv_qp_cap.max_inline_data(ibv_qp_init_attr.cap(init));
        }
    }

    /** Returns what the step to INIT needs, as qp_state_table of the kernel's verbs.c. */
    private static int initMask(QueuePairType type) {
        int mask = Ibverbs.IBV_QP_STATE() | Ibverbs.IBV_QP_PORT();
        return switch (type) {
            case RAW_PACKET -> mask;
            case UD -> mask | Ibverbs.IBV_QP_PKEY_INDEX() | IBV_QP_QKEY;
            default -> mask | Ibverbs.IBV_QP_PKEY_INDEX() | Ibverbs.IBV_QP_ACCESS_FLAGS();
        };
    }

    private boolean resizes(MemorySegment queue) {
        int errno = IbvCalls.RESIZE_CQ.status(queue, 2 * PROBED_CQE);
        if (errno != 0) {
            missing("ibv_resize_cq", Failure.of("ibv_resize_cq", "a probe", errno));
        }
        return errno == 0;
    }

    /** Returns about the most that is granted to {@code type}, of {@code known} bytes that another service has. */
    private int inlineBeside(MemorySegment domain, MemorySegment queue, QueuePairType type, int before, int known) {
        for (int asked : new int[] {known, known - ADDRESS_BYTES, known / 2}) {
            if (asked > before && grantedOf(domain, queue, type, asked) >= asked) {
                return asked;
            }
        }
        return before;
    }

    /**
     * Returns about the most that is granted, at least {@code before}: asks for less and less, as most drivers refuse
     * by themselves what is too much, while what they grant is a command to the firmware; then halves what is between.
     */
    private int maxInline(MemorySegment domain, MemorySegment queue, QueuePairType type, int before) {
        int granted = before;
        int refused = INLINE_LIMIT;
        for (int asked = INLINE_LIMIT / 2; asked > granted; asked /= 2) {
            int answer = grantedOf(domain, queue, type, asked);
            if (answer >= asked) {
                granted = answer;
            } else {
                refused = asked;
            }
        }
        int step = Math.max(INLINE_STEP, granted / INLINE_PARTS / INLINE_STEP * INLINE_STEP);
        while (refused - granted > step) {
            int asked = (granted + refused) / 2 / INLINE_STEP * INLINE_STEP;
            if (asked <= granted) {
                break;
            }
            int answer = grantedOf(domain, queue, type, asked);
            if (answer >= asked) {
                granted = answer;
            } else {
                refused = asked;
            }
        }
        if (lacksMemory) {
            lacksMemory = false;
            certain = certain && grantedOf(domain, queue, type, granted) >= granted; // then it was too much
        }
        return granted;
    }

    private int grantedOf(MemorySegment domain, MemorySegment queue, QueuePairType type, int asked) {
        try {
            return inline(domain, queue, type, asked);
        } catch (ResourceException e) {
            String call = "ibv_create_qp with " + asked + " inline bytes";
            if (e.errno() == Errno.ENOMEM) {
                lacksMemory = true; // or so a driver says that it is too much
            } else {
                missing(call, e);
            }
            return -1;
        }
    }

    /** Makes a queue pair for {@code asked} inline bytes and returns how many it was granted. */
    private int inline(MemorySegment domain, MemorySegment queue, QueuePairType type, int asked) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment init = ObjectTrial.smallest(arena, queue, code(type));
            MemorySegment capacity = ibv_qp_init_attr.cap(init);
            ibv_qp_cap.max_inline_data(capacity, asked);
            MemorySegment made = IbvCalls.CREATE_QP.pointer("a probe", domain, init);
            int granted = ibv_qp_cap.max_inline_data(capacity);
            undone(IbvCalls.DESTROY_QP, made);
            return granted;
        }
    }

    /** Registers a file that is not open: a device that knows dma-buf complains of that, another of the call. */
    private boolean registersDmaBuf(MemorySegment domain) {
        if (!IbvCalls.REG_DMABUF_MR.isPresent()) {
            return false;
        }
        try {
            MemorySegment region = IbvCalls.REG_DMABUF_MR.pointer(
                    "a probe", domain, 0L, (long) PAGE, 0L, NO_FILE, Ibverbs.IBV_ACCESS_LOCAL_WRITE());
            undone(IbvCalls.DEREG_MR, region);
            return true;
        } catch (ResourceException e) {
            if (e.errno() != EBADF) {
                missing("ibv_reg_dmabuf_mr", e);
            }
            return e.errno() == EBADF;
        }
    }

    /** Takes {@code failure} of {@code call} for absence, for this time unless it is the device's own word. */
    private void missing(String call, ResourceException failure) {
        int errno = failure.errno();
        switch (errno) {
            case Errno.EINVAL, Errno.EOPNOTSUPP, Errno.ENOSYS, ENOTTY, EPROTONOSUPPORT -> {
                // The device, its driver or the kernel does not have it.
            }
            default -> unanswered(call, errno);
        }
    }

    /** Tells whether it says that the process or the device lacks resources, which may be there a moment later. */
    private static boolean isWant(int errno) {
        return errno == Errno.ENOMEM || errno == Errno.EAGAIN || errno == Errno.EMFILE || errno == ENFILE;
    }

    private void unanswered(String call, int errno) {
        certain = false;
        LOGGER.log(Level.DEBUG, "{0}: {1}, treated as unsupported this time", call, Errno.describe(errno));
    }

    private static int code(QueuePairType type) {
        return switch (type) {
            case RC -> Ibverbs.IBV_QPT_RC();
            case UC -> Ibverbs.IBV_QPT_UC();
            case UD -> Ibverbs.IBV_QPT_UD();
            case RAW_PACKET -> Ibverbs.IBV_QPT_RAW_PACKET();
            case XRC_SEND -> Ibverbs.IBV_QPT_XRC_SEND();
            case XRC_RECV -> Ibverbs.IBV_QPT_XRC_RECV();
            case DRIVER -> 0xFF;
        };
    }
}
