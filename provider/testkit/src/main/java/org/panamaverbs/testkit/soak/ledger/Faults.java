package org.panamaverbs.testkit.soak.ledger;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/** What went wrong, counted by kind, with the words of the first few. Any thread. */
public final class Faults {
    private static final int TEXTS = 20;

    /** What can go wrong. */
    public enum Kind {
        /** A completion never came. */
        LOST("completions lost"),
        /** A completion came twice. */
        DUPLICATED("completions duplicated"),
        /** A completion came out of order, or a success after a failure. */
        REORDERED("completions out of order"),
        /** A completion came for nothing that was posted, or after the queue pair was closed. */
        UNKNOWN("completions of nothing posted"),
        /** An operation had another result than it must have. */
        DATA("wrong data"),
        /** A message was lost, duplicated or reordered. */
        MESSAGE("messages lost or out of order"),
        /** A connection did not end in time after its peer was gone. */
        LATE("connections that ended late"),
        /** A post or another call was refused that should not be. */
        REFUSED("calls refused or failed"),
        /** A peer's own ledger found something, or the peer ended by itself. */
        PEER("faults that peers found"),
        /** The soak itself failed. */
        SOAK("failures of the soak itself");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        /** Returns the name for people, in the plural. */
        public String text() {
            return text;
        }
    }

    private final Map<Kind, AtomicLong> counts = new EnumMap<>(Kind.class);
    private final List<String> texts = new ArrayList<>();

    /** Creates a count of no faults. */
    public Faults() {
        for (Kind kind : Kind.values()) {
            counts.put(kind, new AtomicLong());
        }
    }

    /** Counts one fault. */
    public void report(Kind kind, String text) {
        report(kind, 1, text);
    }

    /** Counts {@code count} faults at once, if any. */
    public void report(Kind kind, long count, String text) {
        if (count == 0) {
            return;
        }
        if (counter(kind).addAndGet(count) <= TEXTS) {
            synchronized (texts) {
                texts.add(kind.name() + ": " + text);
            }
        }
    }

    /** Counts what a ledger says of a completion. */
    public void verdict(Verdict verdict, String text) {
        switch (verdict) {
            case DUE -> {}
            case DUPLICATED -> report(Kind.DUPLICATED, text);
            case UNKNOWN -> report(Kind.UNKNOWN, text);
            case REORDERED -> report(Kind.REORDERED, text);
            case UNASKED -> report(Kind.DUPLICATED, text + " was not signaled");
        }
    }

    /** Returns how many of {@code kind} there were. */
    public long count(Kind kind) {
        return counter(kind).get();
    }

    private AtomicLong counter(Kind kind) {
        return Objects.requireNonNull(counts.get(kind));
    }

    /** Returns how many faults there were. */
    public long total() {
        long total = 0;
        for (Kind kind : Kind.values()) {
            total += count(kind);
        }
        return total;
    }

    /** Returns the words of the first few of each kind. */
    public List<String> texts() {
        synchronized (texts) {
            return List.copyOf(texts);
        }
    }
}
