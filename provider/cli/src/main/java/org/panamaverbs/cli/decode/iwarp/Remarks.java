package org.panamaverbs.cli.decode.iwarp;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.panamaverbs.cli.decode.capture.Packet;
import org.panamaverbs.cli.decode.tcp.Gap;

/** What is to be said of one direction besides its frames: notes and problems, each at the last frame that was seen. */
final class Remarks {
    private final Supplier<Flow> flow;
    private final Consumer<Event> events;
    // The gaps that were noted already, of those that a capture has many of.
    private final Set<Gap> noted = EnumSet.noneOf(Gap.class);
    private long lastFrame;
    private long lastTimeNanos = Packet.NO_TIME;

    /** Creates the remarks of {@code flow}, which is asked each time, for {@code events}. */
    Remarks(Supplier<Flow> flow, Consumer<Event> events) {
        this.flow = flow;
        this.events = events;
    }

    /** Has what is said from now on be said of this frame. */
    void at(long frameNumber, long timeNanos) {
        lastFrame = frameNumber;
        lastTimeNanos = timeNanos;
    }

    /** Notes what is not the fault of who sends. */
    void note(String text) {
        events.accept(new Event.Note(flow.get(), lastFrame, lastTimeNanos, text, false));
    }

    /**
     * Notes that memory has run out.
     *
     * @param isIwarp whether there is a flow to say it of
     * @param endpoints who sends to whom, in the place of one
     */
    void outOfMemory(boolean isIwarp, String endpoints) {
        String text = "the memory for incomplete messages is used up: this direction is no longer followed";
        if (isIwarp) {
            note(text);
        } else {
            events.accept(new Event.Note(null, lastFrame, lastTimeNanos, endpoints + ": " + text, false));
        }
    }

    /** Says that who sends breaks a rule. */
    void problem(String text) {
        events.accept(new Event.Note(flow.get(), lastFrame, lastTimeNanos, text, true));
    }

    /** Notes that {@code count} octets are missing at {@code offset}, of usual gaps only the first. */
    void missing(long count, long offset, Gap gap) {
        if (noted.add(gap)) {
            note("%d octets are missing at offset %d: %s%s"
                    .formatted(count, offset, gap.text(), gap.usual() ? "; further ones are not noted" : ""));
        }
        if (!gap.usual()) {
            noted.remove(gap);
        }
    }
}
