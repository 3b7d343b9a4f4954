package org.panamaverbs.ibverbs.device;

import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.ibverbs.Ibverbs;
import org.panamaverbs.bindings.ibverbs.ibv_qp_cap;
import org.panamaverbs.bindings.ibverbs.ibv_qp_init_attr;
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
    // More inline data than any driver takes; requests grow by more than that.
    private static final int INLINE_LIMIT = 1 << 14;
    private static final int INLINE_STEP = 4;

    // XRC is told by a query.
    private static final Set<QueuePairType> TRIED =
            EnumSet.complementOf(EnumSet.of(QueuePairType.XRC_SEND, QueuePairType.XRC_RECV));

    private static final Map<String, Probe> KNOWN = new ConcurrentHashMap<>();

    private boolean certain = true;
    private boolean forbidsRaw;

    /**
     * Tries {@code context}, an open device; a later call with the same {@code key} returns what was found before.
     *
     * @throws ResourceException if the process lacks resources to try; nothing is remembered then
     */
    static Probe of(String key, MemorySegment context) {
        Probe known = KNOWN.get(key);
        if (known != null) {
            return known;
        }
        Trial trial = new Trial();
        Probe found = trial.of(context);
        if (trial.isCertain()) {
            KNOWN.put(key, found);
        }
        return found;
    }

    /** Tells whether all that was found missing is missing by the device's own word. */
    boolean isCertain() {
        return certain;
    }

    /**
     * Tries {@code context}, an open device.
     *
     * @throws ResourceException if the process lacks resources to try
     */
    Probe of(MemorySegment context) {
        MemorySegment domain = IbvCalls.ALLOC_PD.pointer("a probe", context);
        try {
            MemorySegment queue = IbvCalls.CREATE_CQ.pointer(
                    "a probe", context, PROBED_CQE, MemorySegment.NULL, MemorySegment.NULL, 0);
            try {
                return of(context, domain, queue);
            } finally {
                IbvCalls.DESTROY_CQ.check("a probe", queue);
            }
        } finally {
            IbvCalls.DEALLOC_PD.check("a probe", domain);
        }
    }

    private Probe of(MemorySegment context, MemorySegment domain, MemorySegment queue) {
        Set<QueuePairType> types = EnumSet.noneOf(QueuePairType.class);
        for (QueuePairType type : TRIED) {
            if (has(domain, queue, type)) {
                types.add(type);
            }
        }
        Map<QueuePairType, Integer> inline = new EnumMap<>(QueuePairType.class);
        for (QueuePairType type : types) {
            inline.put(type, maxInline(domain, queue, type));
        }
        Set<Feature> extended = ExtendedQueues.tried(context, this::missing);
        extended.addAll(ObjectTrial.tried(context, domain, queue, this::missing));
        return new Probe(inline, forbidsRaw, resizes(queue), registersDmaBuf(domain), extended);
    }

    private boolean has(MemorySegment domain, MemorySegment queue, QueuePairType type) {
        try {
            return inline(domain, queue, type, 0) >= 0;
        } catch (ResourceException e) {
            // RAW_PACKET needs CAP_NET_RAW, which this process will not get any more. The kernel's create_qp() in
            // uverbs_cmd.c asks for it before the device is asked.
            if (type == QueuePairType.RAW_PACKET && e.errno() == Errno.EPERM) {
                forbidsRaw = true;
            } else {
                missing("ibv_create_qp of type " + type, e);
            }
            return false;
        }
    }

    private boolean resizes(MemorySegment queue) {
        int errno = IbvCalls.RESIZE_CQ.status(queue, 2 * PROBED_CQE);
        if (errno != 0) {
            missing("ibv_resize_cq", Failure.of("ibv_resize_cq", "a probe", errno));
        }
        return errno == 0;
    }

    /** Returns the most that is granted: between what is granted and what is refused, halved again and again. */
    private int maxInline(MemorySegment domain, MemorySegment queue, QueuePairType type) {
        int granted = inline(domain, queue, type, 0);
        int refused = INLINE_LIMIT;
        while (refused - granted > INLINE_STEP) {
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
        return granted;
    }

    private int grantedOf(MemorySegment domain, MemorySegment queue, QueuePairType type, int asked) {
        try {
            return inline(domain, queue, type, asked);
        } catch (ResourceException e) {
            String call = "ibv_create_qp with " + asked + " inline octets";
            if (e.errno() == Errno.ENOMEM) {
                unanswered(call, e.errno()); // or so a driver says that it is too much
            } else {
                missing(call, e);
            }
            return -1;
        }
    }

    /** Makes a queue pair for {@code asked} inline octets and returns how many it was granted. */
    private static int inline(MemorySegment domain, MemorySegment queue, QueuePairType type, int asked) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment init = ObjectTrial.smallest(arena, queue, code(type));
            MemorySegment capacity = ibv_qp_init_attr.cap(init);
            ibv_qp_cap.max_inline_data(capacity, asked);
            MemorySegment made = IbvCalls.CREATE_QP.pointer("a probe", domain, init);
            int granted = ibv_qp_cap.max_inline_data(capacity);
            IbvCalls.DESTROY_QP.check("a probe", made);
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
            IbvCalls.DEREG_MR.check("a probe", region);
            return true;
        } catch (ResourceException e) {
            if (e.errno() != EBADF) {
                missing("ibv_reg_dmabuf_mr", e);
            }
            return e.errno() == EBADF;
        }
    }

    /**
     * Takes {@code failure} of {@code call} for absence, this time at least, unless the process lacks something: a
     * device that seems to have less than it has would be used so for as long as it is open.
     */
    private void missing(String call, ResourceException failure) {
        int errno = failure.errno();
        if (isWantOfResources(errno)) {
            throw failure;
        }
        switch (errno) {
            case Errno.EINVAL, Errno.EOPNOTSUPP, Errno.ENOSYS, ENOTTY, EPROTONOSUPPORT -> {
                // The device, its driver or the kernel does not have it.
            }
            default -> unanswered(call, errno);
        }
    }

    private void unanswered(String call, int errno) {
        certain = false;
        LOGGER.log(Level.DEBUG, "{0}: {1}, taken for absence this time", call, Errno.describe(errno));
    }

    /** Tells whether the process, not the device, lacks something. */
    private static boolean isWantOfResources(int errno) {
        return switch (errno) {
            case Errno.ENOMEM, Errno.EAGAIN, Errno.EMFILE, ENFILE, Errno.EINTR -> true;
            default -> false;
        };
    }

    private static int code(QueuePairType type) {
        return switch (type) {
            case RC -> Ibverbs.IBV_QPT_RC();
            case UC -> Ibverbs.IBV_QPT_UC();
            case UD -> Ibverbs.IBV_QPT_UD();
            case RAW_PACKET -> Ibverbs.IBV_QPT_RAW_PACKET();
            case XRC_SEND -> Ibverbs.IBV_QPT_XRC_SEND();
            case XRC_RECV -> Ibverbs.IBV_QPT_XRC_RECV();
        };
    }
}
