package org.panamaverbs.api.flight;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/** {@code verbs.DeviceStatistics}: what an open device has counted since it was opened. */
@Name("verbs.DeviceStatistics")
@Label("Device Statistics")
@Category("Verbs")
@Description("What an open device has counted since it was opened.")
@StackTrace(false)
@Period("5 s")
final class DeviceSample extends VerbsEvent {
    @Label("Queue Pairs")
    int queuePairs;

    @Label("Connections")
    int connections;

    @Label("Shared Memory Connections")
    int sharedConnections;

    @Label("Connections Made")
    long connectionsMade;

    @Label("Connections Failed")
    long connectionsFailed;

    @Label("Set-up Retries")
    long setupRetries;

    @Label("Failures")
    long failures;

    @Label("Terminates Sent")
    long terminatesSent;

    @Label("Terminates Received")
    long terminatesReceived;

    @Label("Stalls")
    long stalls;

    @Label("Overruns")
    long overruns;

    @Label("Async Events")
    long asyncEvents;

    @Label("Registrations")
    long registrations;

    @DataAmount(DataAmount.BYTES)
    @Label("Registered Octets")
    long registeredBytes;

    @Label("Slow Passes")
    long slowPasses;

    @Label("Sends Posted")
    long sendsPosted;

    @Label("Sends Completed")
    long sendsCompleted;

    @Label("Receives Posted")
    long receivesPosted;

    @Label("Receives Completed")
    long receivesCompleted;

    @Label("Flushed")
    long flushed;

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

    @Label("Polls")
    long polls;

    @Label("Empty Polls")
    long emptyPolls;
}
