package org.panamaverbs.bench.compare.contestant;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Message channels of Panama Verbs, each way, in processes of this module. */
public final class OurChannels extends OwnProcess {
    private static final int BURST = 100_000;

    public OurChannels(Bench bench) {
        super(bench, "channels", "org.panamaverbs.bench.channels.ChannelsRun");
    }

    @Override
    public List<Job> jobs(Amounts amounts) {
        List<Job> jobs = new ArrayList<>();
        for (String way : List.of("SENDS", "RING")) {
            String line = "Channel, " + way;
            int millis = 1000 * amounts.java().seconds();
            jobs.add(Job.roundTrips(Question.SEND_64, line, () -> run(millis, way, "off", 1)));
            jobs.add(Job.roundTrips(Question.HOST_SEND_64, line, () -> run(millis, way, "require", 1)));
            jobs.add(rate(Question.BATCH_64, line, millis, way, "off"));
            jobs.add(rate(Question.HOST_BATCH_64, line, millis, way, "require"));
        }
        return jobs;
    }

    private Job rate(Question question, String line, int millis, String way, String shm) {
        return Job.rate(question, line, "messages_per_second", () -> run(millis, way, shm, BURST));
    }

    private String run(int millis, String way, String shm, int burst) throws IOException, InterruptedException {
        return run(bench.serverCpu(), bench.clientCpu(), 1, millis, "", "channel", way, shm, burst, 1, 0, 64);
    }
}
