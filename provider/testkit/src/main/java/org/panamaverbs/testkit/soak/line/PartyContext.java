package org.panamaverbs.testkit.soak.line;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.Access;
import org.panamaverbs.testkit.soak.ledger.Faults;
import org.panamaverbs.testkit.soak.ledger.Tally;

/**
 * What a party's lines and workers see of it: an open device, where is counted and reported, and what a line tells it.
 * Any thread.
 */
public abstract class PartyContext {
    private final PartyConfig config;
    private final Tally tally;
    private final Faults faults;
    private final Mix mix;
    private final Verbs verbs;
    private final ProtectionDomain domain;
    private final AtomicInteger up = new AtomicInteger();

    /** Opens the device. */
    PartyContext(PartyConfig config, Tally tally, Faults faults) {
        this.config = config;
        this.tally = tally;
        this.faults = faults;
        mix = new Mix(config.provider(), config.sharedPercent());
        OpenConfig opening = OpenConfig.provider(config.provider()).withDevice(config.device());
        verbs = Verbs.open(mix.opening(opening, config.lines()));
        domain = verbs.protectionDomain();
    }

    public final PartyConfig config() {
        return config;
    }

    public final Tally tally() {
        return tally;
    }

    public final Faults faults() {
        return faults;
    }

    /** Returns what its lines go by. */
    final Mix mix() {
        return mix;
    }

    public final Verbs verbs() {
        return verbs;
    }

    public final ProtectionDomain domain() {
        return domain;
    }

    /** Returns the number of lines that are up, to be counted by them. */
    public final AtomicInteger upCount() {
        return up;
    }

    /** Returns the rights of every buffer. */
    final Access[] rights() {
        return verbs.capabilities().has(Feature.ATOMICS)
                ? new Access[] {Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC}
                : new Access[] {Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE};
    }

    /** Tells whether no new lines are to be made. */
    abstract boolean isPaused();

    /** Runs {@code task}, which ends or closes a line, on a thread for that. */
    abstract void inBackground(String what, Runnable task);

    /** A line is closed; {@code outgoing} is to be connected again. */
    abstract void closed(@Nullable Outgoing outgoing);
}
