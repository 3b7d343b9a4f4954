package org.panamaverbs.examples.tutorial;

import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.memory.Access.LOCAL_WRITE;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.panamaverbs.api.*;
import org.panamaverbs.api.cm.*;
import org.panamaverbs.memory.RegisteredBuffer;

public class Publish {
    static final int WINDOW = 64; // receives that the subscriber keeps posted
    static final long BYTES = 64; // the longest message

    public static void main(String[] args) {
        Deadline deadline = Deadline.in(Duration.ofMinutes(5));
        if (args.length == 1 && args[0].equals("subscriber")) {
            subscribe(deadline);
        } else if (args.length == 4 && args[0].equals("publisher")) {
            publish(new InetSocketAddress(args[1], Integer.parseInt(args[2])), Long.parseLong(args[3]), deadline);
        } else {
            System.err.println("usage: Publish subscriber   or   Publish publisher HOST PORT COUNT");
        }
    }

    static void subscribe(Deadline deadline) {
        try (var verbs = Verbs.open();
                var domain = verbs.protectionDomain();
                var slots = domain.allocate(WINDOW * BYTES, LOCAL_WRITE);
                var queue = verbs.completionQueue(2 * WINDOW);
                var queuePair =
                        domain.queuePair(QueuePairConfig.of(domain, queue).withDepth(WINDOW, WINDOW));
                var listener = verbs.listen(new InetSocketAddress("0.0.0.0", 0))) {
            for (int slot = 0; slot < WINDOW; slot++) {
                receive(queuePair, slots, slot); // before the publisher can send
            }
            System.out.println("port " + listener.localAddress().getPort());
            try (var request = listener.accept(deadline);
                    var connection = request.accept(queuePair, ConnectionConfig.defaults(), deadline)) {
                long taken = 0;
                String text = "";
                var completions = WorkCompletions.ofCapacity(WINDOW);
                while (!text.equals("end")) {
                    int count = queue.poll(completions, deadline);
                    for (int i = 0; i < count; i++) {
                        if (checked(completions.get(i)).opcode() == WcOpcode.RECV) {
                            int slot = (int) completions.get(i).wrId();
                            text = slots.segment().getString(slot * BYTES);
                            receive(queuePair, slots, slot); // the slot is free: receive into it again
                            if (++taken % (WINDOW / 2) == 0) { // then tell the publisher: WINDOW / 2 credits
                                PostStatus.check(queuePair.send(taken, slots, 0, 0, SIGNALED));
                            }
                        }
                    }
                }
                System.out.println("took " + taken + " messages");
                connection.awaitDisconnect(deadline);
            }
        }
    }

    static void publish(InetSocketAddress subscriber, long messages, Deadline deadline) {
        try (var verbs = Verbs.open();
                var domain = verbs.protectionDomain();
                var slots = domain.allocate(WINDOW * BYTES);
                var none = domain.allocate(64, LOCAL_WRITE);
                var queue = verbs.completionQueue(2 * WINDOW);
                var queuePair =
                        domain.queuePair(QueuePairConfig.of(domain, queue).withDepth(WINDOW, 2))) {
            PostStatus.check(queuePair.recv(0, none)); // credits come as messages, and find a receive as well:
            PostStatus.check(queuePair.recv(0, none)); // never more than two of them are under way
            try (var connection = verbs.connect(subscriber, queuePair, ConnectionConfig.defaults(), deadline)) {
                int credits = WINDOW; // receives that are posted there and not used
                int free = WINDOW; // places of the send queue, and slots that hold no message under way
                var completions = WorkCompletions.ofCapacity(WINDOW);
                for (long number = 1; number <= messages; number++) {
                    while (credits == 0 || free == 0) {
                        int count = queue.poll(completions, deadline);
                        for (int i = 0; i < count; i++) {
                            if (checked(completions.get(i)).opcode() == WcOpcode.RECV) {
                                PostStatus.check(queuePair.recv(0, none));
                                credits += WINDOW / 2;
                            } else {
                                free++;
                            }
                        }
                    }
                    long at = number % WINDOW * BYTES;
                    slots.segment().setString(at, number < messages ? "message " + number : "end");
                    PostStatus.check(queuePair.send(number, slots, at, BYTES, SIGNALED));
                    credits--;
                    free--;
                }
                connection.disconnect(deadline);
            }
        }
    }

    static void receive(QueuePair queuePair, RegisteredBuffer slots, int slot) {
        PostStatus.check(queuePair.recv(slot, slots, slot * BYTES, BYTES));
    }

    static WorkCompletion checked(WorkCompletion completion) {
        if (!completion.ok()) {
            throw new IllegalStateException(completion.toString());
        }
        return completion;
    }
}
