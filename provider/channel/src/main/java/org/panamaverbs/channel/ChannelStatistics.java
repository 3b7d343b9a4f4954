package org.panamaverbs.channel;

import java.net.InetSocketAddress;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/** An open channel, sampled on a thread of the recorder. Loaded only where Flight Recorder is there. */
@Name("verbs.ChannelStatistics")
@Label("Channel Statistics")
@Category("Verbs")
@Description("Positions of a channel since it was established. Nothing is ever dropped.")
@Period("5 s")
@StackTrace(false)
@SuppressWarnings("unused") // the recorder reads the fields
final class ChannelStatistics extends Event {
    @Label("State")
    String state = "";

    @Label("Way")
    String way = "";

    @Label("Published")
    @Description("Bytes of frames that were published: the position of the publisher.")
    @DataAmount
    long published;

    @Label("Released")
    @Description("Bytes of them of which the subscriber has reported that it has released them.")
    @DataAmount
    long released;

    @Label("Taken")
    @Description("Bytes of frames that were taken: the position of the subscriber.")
    @DataAmount
    long taken;

    @Label("Kept")
    @Description("Bytes of them that are not released, from the oldest kept message on.")
    @DataAmount
    long kept;

    @Label("Back-Pressured")
    @Description("Calls to publish that returned BACK_PRESSURED.")
    long backPressured;

    @Label("Provider")
    String provider = "";

    @Label("Device")
    String device = "";

    @Label("Queue Pair")
    int queuePair;

    @Label("Peer")
    String peer = "";

    /**
     * Has the channels of {@code group} sampled from the first recording on, until the answer is run. Adding a periodic
     * event would begin the recorder, so that waits until somebody else does.
     */
    static AutoCloseable of(ChannelGroup group) {
        Runnable sample = () -> group.forEach(ChannelStatistics::commit);
        FlightRecorderListener listener = new FlightRecorderListener() {
            @Override
            public void recorderInitialized(FlightRecorder recorder) {
                FlightRecorder.addPeriodicEvent(ChannelStatistics.class, sample);
            }
        };
        FlightRecorder.addListener(listener);
        return () -> {
            FlightRecorder.removeListener(listener);
            if (FlightRecorder.isInitialized()) {
                FlightRecorder.removePeriodicEvent(sample);
            }
        };
    }

    private static void commit(Channel channel) {
        ChannelStatistics event = new ChannelStatistics();
        if (event.shouldCommit()) {
            event.state = channel.state().name();
            event.way = channel.way().name();
            event.published = channel.publisher().position();
            event.released = channel.publisher().releasedPosition();
            event.taken = channel.subscriber().position();
            event.kept = Math.max(0, event.taken - channel.inbound().released());
            event.backPressured = channel.publisher().backPressured();
            event.provider = channel.group().provider();
            event.device = channel.group().device();
            event.queuePair = channel.queuePair().number();
            InetSocketAddress address = channel.remoteAddress();
            event.peer = address.getAddress().getHostAddress() + ":" + address.getPort();
            event.commit();
        }
    }
}
