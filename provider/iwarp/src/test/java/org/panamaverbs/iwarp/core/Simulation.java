package org.panamaverbs.iwarp.core;

import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.cm.TerminateCause.Origin;
import org.panamaverbs.iwarp.core.SimRequests.Request;
import org.panamaverbs.iwarp.core.memory.StagTable;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.core.setup.Rtr;
import org.panamaverbs.iwarp.wire.MpaFrame;
import org.panamaverbs.iwarp.wire.Octets;
import org.panamaverbs.iwarp.wire.TerminateCode;

/**
 * One run: two streams and their applications, random requests both ways, at most one trouble, and a model that knows
 * what has to come of it. Everything follows from the seed.
 */
final class Simulation implements AutoCloseable {
    private final SplittableRandom random;
    private final SimStory story;
    private final boolean prediction;
    private final SimTrouble trouble;
    private final SimDamage damage;
    private final boolean crc;
    private final Pair pair;
    private final SimFlow[] flows = new SimFlow[2];
    // Either side's memory as the other reaches it; none if it does not.
    private final List<SimDirect> direct;
    private final Pipe victim;
    private final int operations;
    private final @Nullable SimCrime crime;
    private final int criminal;
    private @Nullable Request committed;
    private @Nullable SimZone revoked;
    private boolean struck;
    private long struckAfter;

    /** Makes the run of {@code seed}; where memory is {@code shared} each side carries out itself what it can. */
    Simulation(long seed, SimStory story, boolean shared) {
        this(seed, story, shared, true);
    }

    /** Makes the same run; with {@code prediction}, or by the general path alone. */
    Simulation(long seed, SimStory story, boolean shared, boolean prediction) {
        this.story = story;
        this.prediction = prediction;
        random = new SplittableRandom(seed);
        operations = 5 + random.nextInt(45);
        boolean[] sharedReceives = {random.nextInt(3) == 0, random.nextInt(3) == 0};
        int[] depth = {2 + random.nextInt(40), 2 + random.nextInt(40)};
        StreamConfig[] configs = {config(0x11, depth[0]), config(0x22, depth[1])};
        Pipe toB = new Pipe();
        Pipe toA = new Pipe();
        pair = new Pair(side(configs[0], toA, toB, sharedReceives[0]), side(configs[1], toB, toA, sharedReceives[1]));
        direct = shared ? List.of(new SimDirect(pair.a, pair.b), new SimDirect(pair.b, pair.a)) : List.of();
        Negotiated[] agreed = new SimStartup(random.split(), story).connect();
        crc = agreed[0].crc();
        SimTrouble any = SimTrouble.any(random);
        trouble = (any == SimTrouble.CORRUPTION && !crc) || (shared && any.isOfTheWire()) ? SimTrouble.NONE : any;
        damage = new SimDamage(trouble == SimTrouble.CORRUPTION);
        victim = random.nextBoolean() ? toA : toB;
        criminal = random.nextInt(2);
        SimCrime chosen = trouble == SimTrouble.CRIME ? SimCrime.any(random) : null;
        crime = chosen != null && chosen.asksForResponse() && agreed[criminal].ord() == 0 ? null : chosen;
        SimRequests[] requests = {
            new SimRequests(pair.a, "A", story, depth[0]), new SimRequests(pair.b, "B", story, depth[1])
        };
        for (int i = 0; i < 2; i++) {
            flows[i] = flow(i, requests, configs[i].signalAll(), sharedReceives[1 - i], agreed[i].ord() > 0);
            flows[i].memory.all().forEach(zone -> zone.reportTo(damage));
        }
        start(agreed);
    }

    private StreamConfig config(int qpNumber, int depth) {
        return StreamConfig.builder()
                .qpNumber(qpNumber)
                .domainId(Side.DOMAIN)
                .maxSendWr(depth)
                .maxSendSge(4)
                .maxRecvSge(4)
                .maxInlineBytes(64)
                .signalAll(random.nextInt(4) == 0)
                .lingerNanos(Side.LINGER_NANOS)
                .prediction(prediction)
                .build();
    }

    private Side side(StreamConfig config, Pipe in, Pipe out, boolean shared) {
        StagTable stags = new StagTable(64, Side.randomStags(random.nextInt()));
        return new Side(config, in, out, stags, null, null, new ReceiveRing(8 + random.nextInt(64), 4), shared);
    }

    private SimFlow flow(int index, SimRequests[] requests, boolean signalAll, boolean shared, boolean mayRead) {
        Side here = index == 0 ? pair.a : pair.b;
        Side there = index == 0 ? pair.b : pair.a;
        String hereName = requests[index].name();
        String thereName = requests[1 - index].name();
        SimMemory memory = new SimMemory(here, hereName, there, thereName);
        SplittableRandom own = random.split();
        SimRequests mine = requests[index];
        SimInbox inbox = new SimInbox(there, thereName, story, own, memory.inbox, mine, shared);
        SimWindows windows = new SimWindows(there, requests[1 - index], mine, memory.windowed, own, story);
        return new SimFlow(own, story, here, mine, memory, inbox, windows, signalAll, mayRead);
    }

    private void start(Negotiated... agreed) {
        if (random.nextBoolean()) {
            int most = 1 << random.nextInt(14);
            SplittableRandom cuts = random.split();
            Splitter splitter = done -> 1 + cuts.nextInt(cuts.nextInt(6) == 0 ? 3 : most);
            pair.split(splitter, splitter);
        }
        if (random.nextInt(3) == 0) {
            pair.toA.window = 1L + random.nextInt(5_000);
            pair.toB.window = 1L + random.nextInt(5_000);
        }
        pair.a.stream.start(agreed[0], pair.now);
        pair.b.stream.start(agreed[1], pair.now);
        if (agreed[0].rtr() == Rtr.NONE) {
            flows[0].open();
        }
        arm();
    }

    private void arm() {
        long at = victim.writtenOctets() + random.nextInt(1 << (5 + random.nextInt(10)));
        switch (trouble) {
            case CORRUPTION -> {
                victim.flipAt = at;
                victim.flipMask = 1 << random.nextInt(8);
            }
            case TRUNCATION -> victim.truncateAt = at;
            case RESET -> victim.resetAt = at;
            case STALL -> victim.stallAt = at;
            case OVERRUN ->
                (random.nextBoolean() ? victimSide().sends : victimSide().receives).capacity = random.nextInt(20);
            default -> {}
        }
        struckAfter = random.nextInt(2 * operations);
        story.tell(
                "trouble: %s for %s at octet %d or after %d requests%s",
                trouble, victim == pair.toA ? "A" : "B", at, struckAfter, crime == null ? "" : ", " + crime);
    }

    // The side whose input the victim is.
    private Side victimSide() {
        return victim == pair.toA ? pair.a : pair.b;
    }

    private Side otherSide() {
        return victim == pair.toA ? pair.b : pair.a;
    }

    /** Returns all that either side has completed and counted, and how it ended. */
    String results() {
        return result(pair.a) + result(pair.b);
    }

    private static String result(Side side) {
        return "%s, %s, sent %s, received %s, %s, %s%n"
                .formatted(
                        side.stream.state(),
                        side.cause(),
                        side.sends.list,
                        side.receives.list,
                        side.statistics(),
                        side.stream.isMessageUnderWay());
    }

    /** Adds what it was made of to {@code count}. */
    void addTo(SimCount count) {
        count.run(trouble, struck);
        for (SimFlow flow : flows) {
            count.direct(flow.here.executedInline());
            count.requests(flow.requests.count(), flow.here.sends.list, flow.here.receives.list);
        }
        count.octets(pair.toA.readOctets() + pair.toB.readOctets());
    }

    /** Plays the simulation to its end; fails with what differs from the model. */
    void play() {
        for (int i = 0; posted() < 2 * operations && i < 8 * operations; i++) {
            flows[random.nextInt(2)].act();
            for (int steps = random.nextInt(8); steps > 0; steps--) {
                step(random.nextBoolean() ? pair.a : pair.b);
            }
            if (!struck && posted() >= struckAfter) {
                strike();
            }
        }
        end();
    }

    private int posted() {
        return flows[0].requests.count() + flows[1].requests.count();
    }

    private void step(Side side) {
        StreamState before = side.stream.state();
        boolean moved = side.step(pair.now);
        pair.now += random.nextInt(2_000);
        if (story.isTold() && (moved || before != side.stream.state())) {
            story.tell(
                    "%s: took %d octets so far, gave %d%s",
                    side == pair.a ? "A" : "B",
                    side.in.readOctets(),
                    side.out.writtenOctets(),
                    before == side.stream.state()
                            ? ""
                            : ", goes from " + before + " to " + side.stream.state() + ", cause " + side.cause());
        }
        poll();
    }

    private void poll() {
        flows[0].poll();
        flows[1].poll();
    }

    private void strike() {
        switch (trouble) {
            case ABORT -> victimSide().stream.abort();
            case TERMINATE -> {
                if (!victimSide().stream.state().operational()) {
                    return;
                }
                victimSide().stream.fail(Fault.QUEUE_OVERRUN, pair.now);
            }
            case DISCONNECT -> victimSide().stream.disconnect(pair.now);
            case HALF_CLOSE -> {
                if (!isBetweenFpdus(otherSide())) {
                    return;
                }
                victim.truncateAt = victim.writtenOctets();
            }
            case SECOND_REQUEST -> {
                if (!isBetweenFpdus(otherSide())) {
                    return;
                }
                victim.write(new MpaFrame(false, false, true, false, 1, null, Octets.of(new byte[0])).encode());
            }
            case CRIME -> {
                if (crime == null || !commit()) {
                    return;
                }
            }
            case REVOCATION -> {
                List<SimZone> zones = flows[random.nextInt(2)].memory.all();
                SimZone zone = zones.get(random.nextInt(zones.size()));
                zone.seal();
                revoked = zone;
                story.tell("the STag of %s is revoked", zone.name);
            }
            default -> {
                return;
            }
        }
        struck = true;
        story.tell("%s befalls %s", trouble, victim == pair.toA ? "A" : "B");
    }

    private boolean isBetweenFpdus(Side side) {
        return side.isBetweenFpdus() && side.stream.state() == StreamState.ESTABLISHED;
    }

    private boolean commit() {
        committed = crime == null ? null : crime.commit(flows[criminal]);
        return committed != null;
    }

    private void end() {
        flows[0].publish();
        flows[1].publish();
        if (crime != null && committed == null) {
            pair.settle();
            poll();
            struck = commit();
        }
        pair.settle();
        poll();
        Side first = random.nextBoolean() ? pair.a : pair.b;
        story.tell("%s disconnects", first == pair.a ? "A" : "B");
        first.stream.disconnect(pair.now);
        pair.elapse();
        struck |= hasStruck();
        boolean hangs = !pair.a.closed || !pair.b.closed;
        if (hangs) {
            if (!struck || !trouble.mayHang()) {
                throw new AssertionError(
                        "it does not end: A is %s, B is %s".formatted(pair.a.stream.state(), pair.b.stream.state()));
            }
            pair.a.stream.abort();
            pair.b.stream.abort();
            pair.elapse();
        }
        story.tell(
                "A ends %s, cause %s; B ends %s, cause %s",
                pair.a.stream.state(), pair.a.cause(), pair.b.stream.state(), pair.b.cause());
        assertClosed(pair.a, "A");
        assertClosed(pair.b, "B");
        assertCauses();
        assertCompletions();
        assertMemory();
    }

    private boolean hasStruck() {
        return switch (trouble) {
            case CORRUPTION -> victim.writtenOctets() > victim.flipAt;
            case TRUNCATION -> victim.readOctets() >= victim.truncateAt;
            case RESET -> victim.readOctets() >= victim.resetAt;
            case STALL -> victim.readOctets() >= victim.stallAt;
            case OVERRUN -> isOverrun(pair.a) || isOverrun(pair.b);
            default -> false;
        };
    }

    private static boolean isOverrun(Side side) {
        return side.sends.lost > 0 || side.receives.lost > 0;
    }

    private static void assertClosed(Side side, String name) {
        long told =
                side.events.stream().filter(StreamEvent.DISCONNECTED::equals).count();
        if (!side.closed || side.stream.state() != StreamState.CLOSED || told != 1) {
            throw new AssertionError("%s ends in %s, its socket is %s, told %d times"
                    .formatted(name, side.stream.state(), side.closed ? "closed" : "open", told));
        }
    }

    private void assertCauses() {
        Fault a = pair.a.stream.fault();
        Fault b = pair.b.stream.fault();
        boolean faultless = a == null && b == null && !pair.a.aborted && !pair.b.aborted;
        if ((!struck || trouble.isHarmless()) && !faultless) {
            throw new AssertionError("expected an end without fault, found %s%s and %s%s"
                    .formatted(
                            pair.a.cause(),
                            pair.a.aborted ? ", aborted" : "",
                            pair.b.cause(),
                            pair.b.aborted ? ", aborted" : ""));
        }
        if (struck && trouble == SimTrouble.CRIME && crime != null) {
            Side judge = criminal == 0 ? pair.b : pair.a;
            assertCause(judge, crime.code(), Origin.LOCAL);
            assertCause(judge == pair.a ? pair.b : pair.a, crime.code(), Origin.REMOTE);
        }
        if (struck && trouble == SimTrouble.TERMINATE) {
            assertCause(victimSide(), TerminateCode.RDMAP_LOCAL_CATASTROPHIC, Origin.LOCAL);
            assertCause(otherSide(), TerminateCode.RDMAP_LOCAL_CATASTROPHIC, Origin.REMOTE);
        }
        boolean fatal = trouble == SimTrouble.CORRUPTION || trouble == SimTrouble.SECOND_REQUEST;
        if (struck && fatal && !pair.a.aborted && !pair.b.aborted && a == null && b == null) {
            throw new AssertionError(trouble + " was not found");
        }
    }

    private static void assertCause(Side side, TerminateCode code, Origin origin) {
        Fault fault = side.stream.fault();
        if (fault == null || !fault.code().equals(code) || fault.origin() != origin) {
            throw new AssertionError("expected the cause %s %s, found %s".formatted(origin, code, side.cause()));
        }
    }

    private void assertCompletions() {
        boolean good = !struck;
        if (trouble == SimTrouble.OVERRUN && struck) {
            // What a queue has no room for is lost; what it got was looked at as it came.
            return;
        }
        for (SimFlow flow : flows) {
            flow.requests.assertOver(good);
        }
        for (SimFlow flow : flows) {
            flow.inbox.assertOver(good, flow.windows);
            boolean mayErr = committed != null && flow == flows[criminal] && committed.answered;
            // Each Read whose sink is gone fails for a reason of its
            // own; of all others, what happens first ends the rest.
            boolean mayFail = mayErr || trouble == SimTrouble.REVOCATION;
            if (flow.requests.errorsBeside(revoked) > (mayFail ? 1 : 0)) {
                throw new AssertionError(
                        flow.requests.name() + ": requests fail otherwise than by a flush: " + flow.here.sends.brief());
            }
        }
    }

    private void assertMemory() {
        Request last = committed;
        if (last != null) {
            SimRequests requests = flows[criminal].requests;
            if (last.answered) {
                // What came behind it may have been placed before the responder got to it.
                requests.answered(last.index);
            } else {
                requests.delivered(last.index - 1);
                requests.nothingBehind(last.index);
            }
        }
        for (SimFlow flow : flows) {
            if (!struck && flow.requests.count() > 0) {
                flow.requests.answered(flow.requests.count() - 1);
            }
            flow.memory.all().forEach(SimZone::check);
        }
        damage.assertOfOneFpdu(List.of(flows));
        pair.assertGuards();
    }

    @Override
    public void close() {
        direct.forEach(SimDirect::close);
    }
}
