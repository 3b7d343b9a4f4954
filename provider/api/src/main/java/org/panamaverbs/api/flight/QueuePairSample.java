package org.panamaverbs.api.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/** {@code verbs.QueuePairStatistics}: what a queue pair has counted since it was made. */
@Name("verbs.QueuePairStatistics")
@Label("Queue Pair Statistics")
@Category("Verbs")
@Description("What a queue pair has counted since it was made.")
@StackTrace(false)
@Period("5 s")
final class QueuePairSample extends VerbsEvent {
    @Label("State")
    String state = "";

    @Label("Carrier")
    String carrier = "";

    @Label("Transport")
    String transport = "";

    @Label("Sends Posted")
    long sendsPosted;

    @Label("Sends Completed")
    long sendsCompleted;

    @Label("Sends Flushed")
    long sendsFlushed;

    @Label("Send Capacity")
    int sendCapacity;

    @Label("Receives Posted")
    long receivesPosted;

    @Label("Receives Completed")
    long receivesCompleted;

    @Label("Receives Flushed")
    long receivesFlushed;

    @Label("Receive Capacity")
    int receiveCapacity;

    @Label("Reads Outstanding")
    int readsOutstanding;

    @Label("Read Limit")
    int readLimit;

    @Label("Octets Sent")
    long octetsSent;

    @Label("Octets Received")
    long octetsReceived;

    @Label("Writes")
    long writes;

    @Label("Reads")
    long reads;

    @Label("Sends Direct")
    long sendsDirect;
}
