package org.panamaverbs.api.statistics;

/**
 * What an open device has counted since it was opened: the sums of its queue pairs, those that are closed included, and
 * what has no queue pair. What a queue pair's provider cannot tell adds nothing.
 *
 * @param provider the provider's name
 * @param device the device's name
 * @param queuePairs queue pairs that are open now
 * @param connections those of them that are connected now
 * @param sharedConnections those of them that shared memory carries
 * @param connectionsMade connections that were set up, by either side
 * @param connectionsFailed attempts that came to nothing, by either side
 * @param setupRetries attempts that went on by another way than the first
 * @param failures connections that ended because of an error
 * @param terminatesSent Terminate messages sent, 0 where the provider does not see them
 * @param terminatesReceived Terminate messages received, 0 where the provider does not see them
 * @param stalls connections that were ended because the peer had stopped
 * @param overruns completion queues that were overrun
 * @param asyncEvents asynchronous events raised
 * @param registrations registrations that are open now
 * @param registeredBytes octets under them
 * @param slowPasses passes of the event loop that took longer than 10 ms
 * @param sendsPosted sum of {@link QueuePairStatistics#sendsPosted()}
 * @param sendsCompleted sum of {@link QueuePairStatistics#sendsCompleted()}
 * @param receivesPosted sum of {@link QueuePairStatistics#receivesPosted()}
 * @param receivesCompleted sum of {@link QueuePairStatistics#receivesCompleted()}
 * @param flushed sum of the requests that were flushed
 * @param octetsSent sum of {@link QueuePairStatistics#octetsSent()}
 * @param octetsReceived sum of {@link QueuePairStatistics#octetsReceived()}
 * @param writes sum of {@link QueuePairStatistics#writes()}
 * @param reads sum of {@link QueuePairStatistics#reads()}
 * @param sendsDirect sum of {@link QueuePairStatistics#sendsDirect()}
 * @param polls polls of completion queues, those that are closed included
 * @param emptyPolls those of them that found nothing
 */
public record DeviceStatistics(
        String provider,
        String device,
        int queuePairs,
        int connections,
        int sharedConnections,
        long connectionsMade,
        long connectionsFailed,
        long setupRetries,
        long failures,
        long terminatesSent,
        long terminatesReceived,
        long stalls,
        long overruns,
        long asyncEvents,
        long registrations,
        long registeredBytes,
        long slowPasses,
        long sendsPosted,
        long sendsCompleted,
        long receivesPosted,
        long receivesCompleted,
        long flushed,
        long octetsSent,
        long octetsReceived,
        long writes,
        long reads,
        long sendsDirect,
        long polls,
        long emptyPolls) {}
