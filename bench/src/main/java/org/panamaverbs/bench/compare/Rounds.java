package org.panamaverbs.bench.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.bench.compare.contestant.Amounts;
import org.panamaverbs.bench.compare.contestant.Bench;
import org.panamaverbs.bench.compare.contestant.CFloor;
import org.panamaverbs.bench.compare.contestant.Children;
import org.panamaverbs.bench.compare.contestant.Contestant;
import org.panamaverbs.bench.compare.contestant.JavaPeer;
import org.panamaverbs.bench.compare.contestant.Libfabric;
import org.panamaverbs.bench.compare.contestant.OpenMpi;
import org.panamaverbs.bench.compare.contestant.OurChannels;
import org.panamaverbs.bench.compare.contestant.OurConnections;
import org.panamaverbs.bench.compare.contestant.Ours;
import org.panamaverbs.bench.compare.contestant.Place;
import org.panamaverbs.bench.compare.contestant.Point;
import org.panamaverbs.bench.compare.contestant.Scratch;
import org.panamaverbs.bench.compare.contestant.UcxPerftest;
import org.panamaverbs.bench.compare.standing.Comparison;
import org.panamaverbs.bench.machine.HeldMemory;
import org.panamaverbs.bench.machine.Machine;
import org.panamaverbs.bench.result.Form;

/** Asks everybody every question, round by round, so that what is compared ran within a minute or two of each other. */
final class Rounds {
    // A measurement takes a few seconds; one that takes this long hangs.
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    // The table of one host is to be had in the time that people wait for.
    private static final Duration ONE_HOST_BUDGET = Duration.ofMinutes(16);

    private final Path home;
    private final Path directory;
    private final Plan plan;
    private final Amounts amounts;
    private final HeldMemory held;
    private final Map<String, String> setting = new LinkedHashMap<>();
    private final Map<String, String> versions = new LinkedHashMap<>();
    private final Map<String, String> absent = new LinkedHashMap<>();
    private final List<String> failures = new ArrayList<>();
    private final Sampler sampler = new Sampler(failures, this::say);
    private final List<Point> points = new ArrayList<>();
    private final long begun = System.nanoTime();

    /**
     * What is run.
     *
     * @param place whose questions are asked
     * @param form how thoroughly
     * @param rounds how many, or null for as many as the form has
     * @param serverCpu the processor of servers
     * @param clientCpu the processor of clients
     * @param only names of those who take part, or null for all
     * @param curves whether the curves over sizes and percentiles are measured, too
     */
    record Plan(
            Place place,
            Form form,
            @Nullable Integer rounds,
            int serverCpu,
            int clientCpu,
            @Nullable List<String> only,
            boolean curves) {
        Amounts amounts() {
            Amounts amounts = Amounts.of(form);
            if (place == Place.ONE_HOST) {
                amounts = amounts.within(ONE_HOST_BUDGET);
            }
            return rounds == null ? amounts : amounts.withRounds(rounds);
        }
    }

    /**
     * Prepares a run.
     *
     * @param home of the checkout
     * @param directory for what the programs write
     * @param held the memory that is held meanwhile
     */
    Rounds(Path home, Path directory, Plan plan, HeldMemory held) {
        this.home = home;
        this.directory = directory;
        this.plan = plan;
        this.held = held;
        amounts = plan.amounts();
    }

    Comparison run() throws IOException, InterruptedException {
        describe();
        try (Scratch scratch = new Scratch(directory);
                Children children = new Children(directory, DEADLINE)) {
            Bench bench = new Bench(home, children, scratch, plan.serverCpu(), plan.clientCpu());
            List<Contestant> contestants = present(bench);
            List<Contestant.Job> jobs =
                    contestants.stream().flatMap(each -> jobs(each).stream()).toList();
            List<Contestant.Job> others =
                    jobs.stream().filter(job -> !isFloor(job)).toList();
            int rounds = 0;
            long longest = 0;
            while (rounds < amounts.rounds()
                    && elapsed() + longest <= amounts.budget().toNanos()) {
                long from = System.nanoTime();
                round(++rounds, others.isEmpty() ? jobs : others, jobs);
                longest = Math.max(longest, System.nanoTime() - from);
            }
            setting.put("rounds", rounds + (rounds < amounts.rounds() ? ", for more there was no time" : ""));
            boolean curves = plan.curves() && plan.place() == Place.NETWORK;
            for (int i = 0; curves && i < amounts.curve().passes(); i++) {
                curves(contestants);
            }
        }
        setting.put("took", elapsed() / 1_000_000_000 + " s");
        List<String> published = failures.stream().map(this::published).toList();
        return new Comparison(setting, versions, absent, published, sampler.samples(), points);
    }

    /** Returns a failure as one line of a page that others read: without the paths of this machine. */
    private String published(String failure) {
        return failure.replace(home + "/", "")
                .replace(System.getProperty("java.home"), "JDK")
                .replaceAll("\\s+", " ");
    }

    private long elapsed() {
        return System.nanoTime() - begun;
    }

    private void describe() {
        setting.put("command", System.getProperty("bench.command", "bench/compare"));
        setting.put("form", plan.form().title());
        setting.put("begun", Instant.now().truncatedTo(ChronoUnit.MINUTES).toString());
        setting.put("commit", System.getProperty("bench.commit", "unknown"));
        setting.putAll(Machine.facts());
        setting.put("memory held", held.text());
        setting.put("processors", "servers on " + plan.serverCpu() + ", clients on " + plan.clientCpu());
    }

    private List<Contestant.Job> jobs(Contestant contestant) {
        return contestant.jobs(amounts).stream()
                .filter(job -> job.question().place() == plan.place())
                .toList();
    }

    private List<Contestant> present(Bench bench) throws IOException, InterruptedException {
        List<Contestant> all = List.of(
                new CFloor(bench),
                new Ours(bench),
                new OurConnections(bench),
                new OurChannels(bench),
                new UcxPerftest(bench, UcxPerftest.Transport.TCP),
                new UcxPerftest(bench, UcxPerftest.Transport.POSIX),
                new UcxPerftest(bench, UcxPerftest.Transport.SYSV),
                new Libfabric(bench, Libfabric.Provider.TCP),
                new Libfabric(bench, Libfabric.Provider.SHM),
                new OpenMpi(bench),
                new JavaPeer(bench, JavaPeer.Kind.JUCX),
                new JavaPeer(bench, JavaPeer.Kind.NETTY),
                new JavaPeer(bench, JavaPeer.Kind.AERON),
                new JavaPeer(bench, JavaPeer.Kind.JUCX_POSIX),
                new JavaPeer(bench, JavaPeer.Kind.AERON_IPC));
        List<Contestant> present = new ArrayList<>();
        List<String> only = plan.only();
        for (Contestant each : all) {
            if (jobs(each).isEmpty()) {
                continue;
            }
            if (only != null && !(each instanceof CFloor) && only.stream().noneMatch(each.name()::equalsIgnoreCase)) {
                absent.put(each.name(), "left out by --only");
                continue;
            }
            Optional<String> reason = each.missing();
            if (reason.isEmpty()) {
                reason = noteVersion(each);
            }
            if (reason.isPresent()) {
                absent.put(each.name(), reason.get());
                say("not run: " + each.name() + ": " + reason.get());
            } else {
                present.add(each);
            }
        }
        return present;
    }

    private Optional<String> noteVersion(Contestant contestant) throws IOException, InterruptedException {
        try {
            versions.putIfAbsent(contestant.name(), Machine.withoutKernelName(contestant.version()));
            return Optional.empty();
        } catch (Children.FailedException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static boolean isFloor(Contestant.Job job) {
        return job.line().equals(job.question().floorLine());
    }

    /** Takes {@code jobs} of {@code all}, each but the floor's own with its floor before and after. */
    private void round(int round, List<Contestant.Job> jobs, List<Contestant.Job> all)
            throws IOException, InterruptedException {
        for (int i = 0; i < jobs.size(); i++) {
            // Each round begins with somebody else, so that nobody always runs after the same.
            Contestant.Job job = jobs.get((i + (round - 1) * jobs.size() / amounts.rounds()) % jobs.size());
            String what = String.format(
                    Locale.ROOT, "round %d of %d, %2d of %d, ", round, amounts.rounds(), i + 1, jobs.size());
            Optional<Contestant.Job> floor = all.stream()
                    .filter(each ->
                            isFloor(each) && each.question() == job.question().floor())
                    .findFirst();
            if (isFloor(job) || floor.isEmpty()) {
                sampler.take(round, job, what);
            } else {
                sampler.takeOnFloor(round, job, floor.get(), what);
            }
        }
    }

    private void curves(List<Contestant> contestants) throws IOException, InterruptedException {
        for (Contestant contestant : contestants) {
            for (Contestant.CurveJob job : contestant.curves(amounts)) {
                try {
                    List<Point> found = job.measurement().take();
                    points.addAll(found);
                    say("curve of " + job.line() + ": " + found.size() + " points");
                } catch (Children.FailedException | RuntimeException e) {
                    failures.add("curve of " + job.line() + ": " + e.getMessage());
                    say("FAILED: " + failures.getLast());
                }
            }
        }
    }

    private void say(String text) {
        System.err.printf(Locale.ROOT, "[%4d s] %s%n", elapsed() / 1_000_000_000, text);
    }
}
