package org.panamaverbs.ibverbs.memory;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.call.Call.Answer;
import org.panamaverbs.ibverbs.call.Failure;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.context.Region;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.spi.support.Creation;
import org.panamaverbs.spi.support.Ours;

/**
 * Changes registrations, {@code ibv_rereg_mr(3)}. The native one becomes that of a new region, and the old region has
 * nothing to end any more.
 */
public final class Reregistration {
    // infiniband/verbs.h: enum ibv_rereg_mr_flags
    private static final int CHANGE_TRANSLATION = 1;
    private static final int CHANGE_PD = 1 << 1;
    private static final int CHANGE_ACCESS = 1 << 2;

    // infiniband/verbs.h: enum ibv_rereg_mr_err_code: done, but the old memory stays kept from children of fork(2)
    private static final int ERR_DO_FORK_OLD = -3;
    // Below: the kernel has refused, and the registration is of no use any more.
    private static final int ERR_CMD = -4;

    private final Domain domain;
    private final Region old;
    private final Registrations before;

    private Reregistration(Domain domain, Region old, Registrations before) {
        this.domain = domain;
        this.old = old;
        this.before = before;
    }

    /**
     * Changes the registration behind {@code buffer} to one of {@code domain} with {@code rights}, of {@code memory} if
     * it is not null.
     */
    public static RegisteredBuffer of(
            Domain domain, RegisteredBuffer buffer, @Nullable MemorySegment memory, int rights) {
        IbvContext context = domain.context();
        buffer.requireOpen();
        Region old = context.regions().find(buffer.lkey());
        if (old == null || !old.isBehind(buffer) || !(old.owner() instanceof Registrations before)) {
            throw Ours.refusal("registered buffer", context);
        }
        if (!buffer.hasSegment()) {
            throw new IllegalArgumentException(
                    buffer.resourceName() + " has no segment, and only a registration of memory can be changed");
        }
        domain.registrations().requireFeatures(rights);
        return new Reregistration(domain, old, before).change(buffer, memory, rights);
    }

    private RegisteredBuffer change(RegisteredBuffer buffer, @Nullable MemorySegment memory, int rights) {
        IbvContext context = domain.context();
        Registrations after = domain.registrations();
        MemorySegment segment = memory == null ? old.segment() : memory;
        long taggedOffset = memory == null ? old.taggedOffset() : memory.address();
        RegisteredBuffer changed = Creation.of(
                () -> after.enter(segment, taggedOffset, true, () -> rereg(buffer, memory, rights)),
                made -> new RegisteredBuffer(
                        domain,
                        segment,
                        made.region().lkey(),
                        made.rkey(),
                        taggedOffset,
                        rights,
                        () -> end(made.region()),
                        null),
                made -> after.deregister(made.region()));
        context.watch().deregistered(domain.resourceName(), old.segment().byteSize());
        context.watch().registered(domain.resourceName(), segment.byteSize(), rights);
        return changed;
    }

    private void end(Region region) {
        if (domain.registrations().deregister(region)) {
            domain.context()
                    .watch()
                    .deregistered(domain.resourceName(), region.segment().byteSize());
        }
    }

    private MemorySegment rereg(RegisteredBuffer buffer, @Nullable MemorySegment memory, int rights) {
        Registrations after = domain.registrations();
        int changes = CHANGE_ACCESS | (memory == null ? 0 : CHANGE_TRANSLATION) | (before == after ? 0 : CHANGE_PD);
        String what = "%s, to %s of %s on %s"
                .formatted(
                        buffer.resourceName(),
                        Access.format(rights),
                        domain.resourceName(),
                        domain.context().resourceName());
        synchronized (before) { // no bind is noted meanwhile
            if (before.hasWindow(old)) {
                throw new IllegalStateException("a memory window is bound to " + buffer.resourceName()
                        + "; remedy: close or invalidate the window first");
            }
            Answer answer = IbvCalls.REREG_MR.answer(
                    old.handle(),
                    changes,
                    domain.handle(),
                    memory == null ? MemorySegment.NULL : MemorySegment.ofAddress(memory.address()),
                    memory == null ? 0L : memory.byteSize(),
                    after.flags(rights));
            if (answer.value() != 0 && answer.value() != ERR_DO_FORK_OLD) {
                throw refused(what, answer);
            }
            domain.context().regions().remove(old);
            old.supersede();
            return old.handle();
        }
    }

    private static RuntimeException refused(String what, Answer answer) {
        int errno = answer.errno() == 0 ? Errno.EIO : answer.errno();
        // A driver without such a call says ERR_CMD, too, and has touched nothing.
        return answer.value() <= ERR_CMD && errno != Errno.EOPNOTSUPP && errno != Errno.ENOSYS
                ? Failure.of("ibv_rereg_mr", what, errno, "close the buffer, whose registration is unusable now")
                : Failure.orUnsupported("ibv_rereg_mr", what, errno);
    }
}
