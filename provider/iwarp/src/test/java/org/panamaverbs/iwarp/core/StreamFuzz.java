package org.panamaverbs.iwarp.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.panamaverbs.api.cm.TerminateReason;
import org.panamaverbs.iwarp.core.setup.Negotiated;

/**
 * Fuzz target: a connection from its first octet to its last against a live core with registered memory. The data drive
 * the peer, which speaks correctly unless told otherwise, and the application: posts, binds, revocations, disconnects,
 * and time.
 */
public final class StreamFuzz {
    private static final int MOST_STEPS = 120;
    private static final int ACTIONS = 32;
    private static final int MOST_RAW = 2048;

    private StreamFuzz() {}

    /** Entry point of the fuzzer. */
    public static void fuzzerTestOneInput(byte[] data) {
        run(data);
    }

    /** Plays one case and answers what it reached. */
    static List<String> run(byte[] data) {
        FuzzStartup startup = FuzzStartup.of(new FuzzInput(data), Splitter.WHOLE);
        if (startup.negotiated() == null) {
            return new ArrayList<>(startup.reached());
        }
        return FuzzRun.compare(data, StreamFuzz::play);
    }

    private static FuzzRun play(FuzzInput in, FuzzZoo zoo, Splitter splitter) {
        FuzzStartup startup = FuzzStartup.of(in, splitter);
        Negotiated agreed = startup.negotiated();
        if (agreed == null) {
            throw new AssertionError("another split of the frame ends in " + startup.reached());
        }
        int how = in.octet();
        Negotiated negotiated = agreed.withEmss((how & 1) != 0 ? 536 : Pair.EMSS);
        FuzzRun run = new FuzzRun(new FuzzCore(zoo, negotiated, (how & 2) != 0, splitter));
        Fault startFault = startup.startFault();
        if (startFault != null) {
            run.step("fault of the set-up", () -> run.core.call(() -> run.core.stream.fail(startFault, run.core.now)));
        }
        for (int i = 0; !in.isEmpty() && i < MOST_STEPS && !run.core.closed; i++) {
            act(run, in);
        }
        return run.finish();
    }

    private static void act(FuzzRun run, FuzzInput in) {
        FuzzCore core = run.core;
        switch (in.below(ACTIONS)) {
            case 16, 17, 18 -> run.step("receive", () -> run.posts.receive(in));
            case 19 -> run.step("receive", () -> run.posts.receive(in.length()));
            case 20 -> run.step("send", () -> run.posts.send(in));
            case 21 -> run.step("read", () -> run.posts.read(in));
            case 22 -> run.step("atomic", () -> run.posts.atomic(in));
            case 23 -> run.step("bind", () -> run.posts.bind(in));
            case 24 -> run.step("invalidate", () -> run.posts.invalidate(in));
            case 25 -> run.step("hold", () -> core.held = !core.held);
            case 26 -> raw(run, in);
            case 27 -> several(run, in);
            case 28 -> run.step("time", core::elapse);
            case 29 -> run.step("completion queue", () -> overrun(core, in));
            case 30 -> run.step("revoke", () -> core.zoo.revoke(in.below(FuzzZoo.INNER + 1)));
            case 31 -> end(run, in);
            default -> run.inject(run.segments.next(in));
        }
    }

    private static void raw(FuzzRun run, FuzzInput in) {
        byte[] octets = in.take(in.u16() % MOST_RAW);
        run.segments.sentRaw(octets.length);
        run.inject(octets);
    }

    /** Several FPDUs at once, the last of them perhaps cut. */
    private static void several(FuzzRun run, FuzzInput in) {
        int count = 1 + in.below(8);
        int cut = in.octet();
        byte[] all = {};
        for (int i = 0; i < count; i++) {
            byte[] wire = run.segments.next(in);
            int from = all.length;
            all = Arrays.copyOf(all, from + wire.length);
            System.arraycopy(wire, 0, all, from, wire.length);
        }
        int first = cut % all.length;
        run.inject(Arrays.copyOf(all, first == 0 ? all.length : first));
        if (first != 0) {
            run.inject(Arrays.copyOfRange(all, first, all.length));
        }
    }

    private static void overrun(FuzzCore core, FuzzInput in) {
        Wc.Queue queue = in.flag() ? core.sends : core.receives;
        queue.capacity = queue.list.size() + in.below(4);
    }

    private static void end(FuzzRun run, FuzzInput in) {
        FuzzCore core = run.core;
        switch (in.below(5)) {
            case 0 -> run.step("FIN", core::fin);
            case 1 -> run.step("reset", () -> core.call(() -> core.stream.lost(TerminateReason.PEER_RESET, "")));
            case 2 -> run.step("disconnect", () -> core.call(() -> core.stream.disconnect(core.now)));
            case 3 -> run.step("abort", () -> core.call(() -> core.stream.abort()));
            default -> run.step("fault", () -> core.call(() -> core.stream.fail(Fault.QUEUE_OVERRUN, core.now)));
        }
    }
}
