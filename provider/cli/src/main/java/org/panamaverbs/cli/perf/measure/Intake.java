package org.panamaverbs.cli.perf.measure;

import java.util.List;

/**
 * Takes in what the peer sends: gives back receives as they are used, and tells the peer how many, so that it never
 * sends more than there are. Used by one thread.
 */
public final class Intake {
    private static final int TOLD_PER_QUEUE = 4;

    private final List<Lane> lanes;

    public Intake(List<Lane> lanes) {
        this.lanes = lanes;
    }

    /** Does what is due for messages that have arrived. */
    public void serve() {
        for (Lane lane : lanes) {
            giveBack(lane);
            long due = Math.max(1, lane.rxDepth / TOLD_PER_QUEUE);
            if (lane.given - lane.told >= due && !lane.peerDone && !lane.telling()) {
                lane.tellTaken();
            }
        }
    }

    /** Gives back the receives of what has arrived. */
    static void giveBack(Lane lane) {
        if (lane.given < lane.arrived) {
            int count = (int) (lane.arrived - lane.given);
            lane.given = lane.arrived;
            lane.receive(count);
            lane.control.publish(Control.ARRIVED, lane.given);
        }
    }
}
