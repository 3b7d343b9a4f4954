package org.panamaverbs.iwarp.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.memory.Access;
import org.panamaverbs.spi.support.WindowBinding;

/** The work requests of the side at test: posts what the fuzzer wants, and holds the completions against it. */
final class FuzzPosts {
    private record Bind(FuzzZoo.Area window, int stag, long address, int length, int access, int scope) {}

    private static final SendOpcode[] PLAIN = {
        SendOpcode.SEND,
        SendOpcode.SEND_WITH_INVALIDATE,
        SendOpcode.RDMA_WRITE,
        SendOpcode.RDMA_WRITE_WITH_IMMEDIATE,
        SendOpcode.IMMEDIATE
    };
    private static final SendOpcode[] ATOMIC = {
        SendOpcode.FETCH_ADD, SendOpcode.CMP_SWAP, SendOpcode.MASKED_FETCH_ADD, SendOpcode.MASKED_CMP_SWAP
    };
    // Memory that is sent from must keep still, so nobody may write to it; FOREIGN and REVOKED have to be refused.
    private static final int[] SOURCES = {
        FuzzZoo.READ_ONLY, FuzzZoo.READ_ONLY, FuzzZoo.READ_ONLY, FuzzZoo.READ_ONLY, FuzzZoo.FOREIGN, FuzzZoo.REVOKED
    };
    private static final int[] SINKS = {
        FuzzZoo.LOCAL, FuzzZoo.LOCAL, FuzzZoo.OPEN, FuzzZoo.READ_ONLY, FuzzZoo.REVOKED, FuzzZoo.INNER
    };

    private final FuzzCore core;
    private final List<Boolean> signaled = new ArrayList<>();
    private final Map<Long, Bind> binds = new HashMap<>();
    private final Map<Long, Integer> invalidations = new HashMap<>();
    private int receivesPosted;
    private int sendsSeen;
    private int receivesSeen;
    private int tagAt;

    FuzzPosts(FuzzCore core) {
        this.core = core;
    }

    /** Posts a receive as the fuzzer likes: mostly in writable memory, mostly within it. */
    void receive(FuzzInput in) {
        FuzzZoo.Area area = core.zoo.area(SINKS[in.below(SINKS.length)]);
        long address = area.base + in.length();
        long length = in.length();
        core.call(() -> {
            if (core.stream.receives().post(receivesPosted, address, length, area.stag) == PostStatus.ACCEPTED) {
                receivesPosted++;
                core.zoo.allowReceive(area.stag, address, length);
            }
        });
    }

    /** Posts a plain receive of {@code length} octets. */
    void receive(int length) {
        core.call(() -> {
            FuzzZoo.Area area = core.zoo.area(FuzzZoo.LOCAL);
            int offset = receivesPosted * 64 % 2048;
            if (core.stream.receives().post(receivesPosted, area.base + offset, length, area.stag)
                    == PostStatus.ACCEPTED) {
                receivesPosted++;
                core.zoo.allowReceive(area.stag, area.base + offset, length);
            }
        });
    }

    /** Posts a Send, Write or Immediate. */
    void send(FuzzInput in) {
        SendOpcode operation = PLAIN[in.below(PLAIN.length)];
        FuzzZoo.Area area = core.zoo.area(SOURCES[in.below(SOURCES.length)]);
        int flags = in.octet() & (SendFlag.SIGNALED | SendFlag.SOLICITED | SendFlag.FENCE | SendFlag.INLINE);
        long address = area.base + in.length();
        long length = in.length();
        int rkey = in.octet();
        core.call(() -> post(
                core.stream
                        .sends()
                        .post(operation, signaled.size(), address, length, area.stag, 0x4000, rkey, 77, flags),
                flags));
    }

    /** Posts a Read. */
    void read(FuzzInput in) {
        FuzzZoo.Area area = core.zoo.area(SINKS[in.below(SINKS.length)]);
        int flags = in.octet() & (SendFlag.SIGNALED | SendFlag.FENCE);
        long address = area.base + in.length();
        long length = in.length();
        core.call(() -> {
            int status = core.stream
                    .sends()
                    .post(SendOpcode.RDMA_READ, signaled.size(), address, length, area.stag, 0x5000, 0x99, 0, flags);
            post(status, flags);
        });
    }

    /** Posts an atomic. */
    void atomic(FuzzInput in) {
        SendOpcode operation = ATOMIC[in.below(ATOMIC.length)];
        FuzzZoo.Area area = core.zoo.area(SINKS[in.below(SINKS.length)]);
        int flags = in.octet() & (SendFlag.SIGNALED | SendFlag.FENCE);
        long address = area.base + in.length();
        core.call(() -> {
            int status = core.stream
                    .sends()
                    .postAtomic(operation, signaled.size(), address, area.stag, 0x6000, 0x98, 1, 2, -1, 3, flags);
            post(status, flags);
            core.zoo.allow(area.stag, address, Long.BYTES, Access.LOCAL_WRITE);
        });
    }

    /** Binds the spare window to a part of memory that cannot be reached otherwise. */
    void bind(FuzzInput in) {
        FuzzZoo.Area window = core.zoo.area(in.flag() ? FuzzZoo.SPARE_WINDOW : FuzzZoo.WINDOW);
        FuzzZoo.Area inner = core.zoo.area(FuzzZoo.INNER);
        int access = in.octet() & Access.mask(Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);
        long address = inner.base + 768 + in.below(200);
        int length = in.below(100);
        boolean scoped = in.flag();
        int stag = window.region.nextStag(++tagAt);
        if (Access.REMOTE_ATOMIC.in(access)) {
            // An atomic may come before the completion that tells of the binding.
            core.zoo.allow(inner.stag, address, length, Access.LOCAL_WRITE);
        }
        core.call(() -> {
            binds.put((long) signaled.size(), new Bind(window, stag, address, length, access, scoped ? FuzzZoo.QP : 0));
            int status = core.stream
                    .sends()
                    .postBind(
                            signaled.size(),
                            window.region,
                            scoped,
                            inner.stag,
                            new WindowBinding(stag, address, length, access),
                            SendFlag.SIGNALED);
            post(status, SendFlag.SIGNALED);
        });
    }

    /** Invalidates a window from this side. */
    void invalidate(FuzzInput in) {
        FuzzZoo.Area window = core.zoo.area(in.below(FuzzZoo.AREAS));
        core.call(() -> {
            invalidations.put((long) signaled.size(), window.stag);
            post(
                    core.stream.sends().postLocalInvalidate(signaled.size(), window.stag, SendFlag.SIGNALED),
                    SendFlag.SIGNALED);
        });
    }

    private void post(int status, int flags) {
        if (status == PostStatus.ACCEPTED) {
            signaled.add((flags & SendFlag.SIGNALED) != 0);
        }
    }

    /** Looks at the completions since the last time. */
    void endStep(String step) {
        core.endStep(step);
        // First what the peer invalidated: requests of this side come after the octets of a step.
        lookAtReceives();
        lookAtSends();
    }

    private void lookAtReceives() {
        for (; receivesSeen < core.receives.list.size(); receivesSeen++) {
            Wc wc = core.receives.list.get(receivesSeen);
            // A full queue loses some.
            long least = core.overrun() && receivesSeen > 0
                    ? core.receives.list.get(receivesSeen - 1).wrId() + 1
                    : receivesSeen;
            boolean next = core.overrun() ? wc.wrId() >= least : wc.wrId() == receivesSeen;
            if (!next || wc.wrId() >= receivesPosted) {
                throw new AssertionError("receives out of order: " + core.receives.brief());
            }
            if (wc.ok()
                    && receivesSeen > 0
                    && !core.receives.list.get(receivesSeen - 1).ok()) {
                throw new AssertionError("success behind a failure: " + core.receives.brief());
            }
            if (wc.ok() && wc.has(CompletionSink.HAS_INVALIDATED_STAG)) {
                invalidated((int) wc.immediateOrStag());
            }
        }
    }

    private void lookAtSends() {
        for (; sendsSeen < core.sends.list.size(); sendsSeen++) {
            Wc wc = core.sends.list.get(sendsSeen);
            boolean first = sendsSeen == 0;
            if (wc.wrId() < 0 || wc.wrId() >= signaled.size()) {
                throw new AssertionError("nobody posted " + wc);
            }
            if (!first && core.sends.list.get(sendsSeen - 1).wrId() >= wc.wrId()) {
                throw new AssertionError("out of order or twice: " + core.sends.brief());
            }
            if (!first && wc.ok() && !core.sends.list.get(sendsSeen - 1).ok()) {
                throw new AssertionError("success behind a failure: " + core.sends.brief());
            }
            if (wc.ok()) {
                onSuccess(wc);
            }
        }
    }

    private void onSuccess(Wc wc) {
        Bind bind = binds.get(wc.wrId());
        if (bind != null && wc.opcode() == WcOpcode.BIND_WINDOW) {
            core.zoo.bound(bind.window, bind.stag, bind.address, bind.length, bind.access, bind.scope);
        }
        Integer stag = invalidations.get(wc.wrId());
        if (stag != null && wc.opcode() == WcOpcode.LOCAL_INVALIDATE) {
            invalidated(stag);
        }
    }

    private void invalidated(int stag) {
        FuzzZoo.Area area = core.zoo.find(stag);
        if (area == null || !area.region.isWindow() || area.scope != FuzzZoo.QP) {
            throw new AssertionError("STag 0x%08x was invalidated, which is no window of this stream".formatted(stag));
        }
        area.alive = false;
    }

    /** The stream is over: every request has completed. */
    void checkAll() {
        endStep("end");
        if (core.overrun()) {
            return;
        }
        if (core.receives.list.size() != receivesPosted) {
            throw new AssertionError(receivesPosted + " receives posted: " + core.receives.brief());
        }
        List<Long> ids = core.sends.ids();
        boolean failed = core.sends.list.stream().anyMatch(wc -> wc.status() != WcStatus.SUCCESS);
        long firstFailed = failed
                ? core.sends.list.stream()
                        .filter(wc -> !wc.ok())
                        .findFirst()
                        .orElseThrow()
                        .wrId()
                : signaled.size();
        for (int id = 0; id < signaled.size(); id++) {
            boolean must = signaled.get(id) || id >= firstFailed;
            if (must && !ids.contains((long) id)) {
                throw new AssertionError("request " + id + " never completed: " + core.sends.brief());
            }
        }
    }
}
