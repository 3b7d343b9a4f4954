package org.panamaverbs.bench.peers;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.logbuffer.FragmentHandler;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Aeron, whose media drivers are driven by the thread that sends and receives, which never pauses: with one core a
 * side, every other threading mode has threads take the core from each other.
 */
final class AeronPeer implements Peer {
    private static final long LINGER_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final int IDLE_ROUNDS_A_KEEPALIVE = 1024;
    private static final int LINE = 64;
    private static final int FRAGMENTS = 256;

    private final Plan plan;
    private final AeronMedium medium;
    private final UnsafeBuffer message;
    private final ByteBuffer scratch;
    private @Nullable Aeron aeron;
    private @Nullable AgentInvoker clientInvoker;
    private @Nullable Subscription subscription;
    private @Nullable ExclusivePublication publication;

    // What the handlers of this thread saw.
    private long arrived;
    private int peerNumber;
    private int idleRounds;

    AeronPeer(Plan plan, AeronMedium medium) {
        this.plan = plan;
        this.medium = medium;
        int length = Math.max(plan.size(), LINE);
        message = new UnsafeBuffer(BufferUtil.allocateDirectAligned(length, LINE));
        scratch = ByteBuffer.allocateDirect(length);
    }

    /** Takes {@code opened} as what messages go through. */
    private Aeron open(Aeron opened) {
        aeron = opened;
        clientInvoker = opened.conductorAgentInvoker();
        return opened;
    }

    private Subscription subscribe(Aeron by, int stream) {
        Subscription made = by.addSubscription(medium.source(), stream);
        subscription = made;
        return made;
    }

    private ExclusivePublication publish(Aeron by, int peer, int stream) {
        ExclusivePublication made = by.addExclusivePublication(medium.sink(peer), stream);
        publication = made;
        return made;
    }

    private int number(Subscription from) throws InterruptedException {
        int number = medium.number(from);
        while (number == 0) {
            advance();
            number = medium.number(from);
        }
        return number;
    }

    private void advance() throws InterruptedException {
        plan.pause();
        medium.drive();
        opened(clientInvoker).invoke();
    }

    /** Between messages: the driver has its turn, and the client now and then, to say that it lives. */
    private void idle() throws InterruptedException {
        plan.pause();
        if (medium.isTurn(++idleRounds)) {
            medium.drive();
        }
        if (idleRounds % IDLE_ROUNDS_A_KEEPALIVE == 0) {
            opened(clientInvoker).invoke();
        }
    }

    private void awaitPeer(Publication to) throws InterruptedException {
        while (!to.isConnected()) {
            advance();
        }
    }

    @Override
    public int listen() throws InterruptedException {
        return number(subscribe(open(medium.listen()), medium.toServer()));
    }

    @Override
    public void serve() throws InterruptedException {
        Subscription from = opened(subscription);
        while (peerNumber == 0) {
            advance();
            from.poll((buffer, offset, length, header) -> peerNumber = buffer.getInt(offset), 1);
        }
        ExclusivePublication to = publish(opened(aeron), peerNumber, medium.toClient());
        awaitPeer(to);
        FragmentHandler handler = plan.test() == Plan.Test.PING_PONG
                ? (buffer, offset, length, header) -> echo(to, buffer, offset, length)
                : (buffer, offset, length, header) -> sink(to, buffer, offset, length);
        FragmentAssembler assembler = new FragmentAssembler(handler);
        while (arrived < plan.messages()) {
            if (from.poll(assembler, FRAGMENTS) == 0) {
                idle();
                if (!from.isConnected()) {
                    throw new IllegalStateException(
                            "the client left after " + arrived + " of " + plan.messages() + " messages");
                }
            }
        }
        // What was answered last may have to be sent again.
        long until = System.nanoTime() + LINGER_NANOS;
        while (from.isConnected() && System.nanoTime() - until < 0) {
            idle();
        }
    }

    private void echo(ExclusivePublication to, DirectBuffer buffer, int offset, int length) {
        arrived++;
        offer(to, buffer, offset, length);
        medium.drive();
    }

    private void sink(ExclusivePublication to, DirectBuffer buffer, int offset, int length) {
        check(buffer, offset, length, arrived);
        arrived++;
        if (plan.isAcknowledged(arrived)) {
            message.putLong(0, arrived);
            offer(to, message, 0, Long.BYTES);
        }
    }

    private void check(DirectBuffer buffer, int offset, int length, long number) {
        if (plan.verify()) {
            if (length != plan.size()) {
                throw new WrongOctetsException("message " + number + " has " + length + " bytes, not " + plan.size());
            }
            buffer.getBytes(offset, scratch.clear().limit(length), length);
            Pattern.check(scratch.flip(), number, 0);
        }
    }

    private void offer(ExclusivePublication to, DirectBuffer buffer, int offset, int length) {
        long position = to.offer(buffer, offset, length);
        while (position < 0) {
            if (position != Publication.BACK_PRESSURED && position != Publication.ADMIN_ACTION) {
                throw new IllegalStateException("Aeron refuses a message: " + Publication.errorString(position));
            }
            medium.drive();
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("interrupted while Aeron takes no message");
            }
            position = to.offer(buffer, offset, length);
        }
    }

    @Override
    public Outcome measure(int port) throws InterruptedException {
        Aeron by = open(medium.connect(port));
        Subscription from = subscribe(by, medium.toClient());
        int own = number(from);
        ExclusivePublication to = publish(by, port, medium.toServer());
        awaitPeer(to);
        message.putInt(0, own);
        offer(to, message, 0, Integer.BYTES);
        while (!from.isConnected()) {
            advance();
        }
        return plan.test() == Plan.Test.PING_PONG ? pingPong(from, to) : stream(from, to);
    }

    private Outcome pingPong(Subscription from, ExclusivePublication to) throws InterruptedException {
        Histogram times = Outcome.RoundTrips.histogram();
        FragmentAssembler assembler = new FragmentAssembler((buffer, offset, length, header) -> {
            check(buffer, offset, length, arrived);
            arrived++;
        });
        for (long number = 0; number < plan.messages(); number++) {
            prepare(number);
            long asked = System.nanoTime();
            offer(to, message, 0, plan.size());
            while (arrived == number) {
                idle();
                from.poll(assembler, FRAGMENTS);
            }
            if (number >= plan.warmUp()) {
                times.recordValue(System.nanoTime() - asked);
            }
        }
        return new Outcome.RoundTrips(times);
    }

    private Outcome stream(Subscription from, ExclusivePublication to) throws InterruptedException {
        FragmentHandler acknowledgement = (buffer, offset, length, header) -> arrived = buffer.getLong(offset);
        send(to, 0, plan.warmUp());
        await(from, acknowledgement, plan.warmUp());
        long begun = System.nanoTime();
        send(to, plan.warmUp(), plan.messages());
        await(from, acknowledgement, plan.messages());
        return new Outcome.Stream(plan.count(), plan.size(), System.nanoTime() - begun);
    }

    private void send(ExclusivePublication to, long first, long until) throws InterruptedException {
        int sinceFlush = 0;
        for (long number = first; number < until; number++) {
            prepare(number);
            offer(to, message, 0, plan.size());
            if (++sinceFlush == plan.batch()) {
                sinceFlush = 0;
                medium.drive();
            }
        }
    }

    private void await(Subscription from, FragmentHandler handler, long messages) throws InterruptedException {
        while (arrived < messages) {
            advance();
            from.poll(handler, 1);
        }
    }

    private void prepare(long number) {
        if (plan.verify()) {
            ByteBuffer octets = scratch.clear().limit(plan.size());
            Pattern.fill(octets, number);
            message.putBytes(0, octets, plan.size());
        }
    }

    private static <T> T opened(@Nullable T opened) {
        if (opened == null) {
            throw new IllegalStateException("listen or measure comes first");
        }
        return opened;
    }

    @Override
    public void close() {
        if (publication != null) {
            publication.close();
        }
        if (subscription != null) {
            subscription.close();
        }
        if (aeron != null) {
            aeron.close();
        }
        medium.close();
    }
}
