package org.panamaverbs.examples.provider;

import static org.panamaverbs.api.SendFlag.NONE;
import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.memory.Access.LOCAL_WRITE;
import static org.panamaverbs.memory.Access.REMOTE_WRITE;

import java.io.PrintWriter;
import java.util.List;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.examples.command.Arguments;
import org.panamaverbs.examples.command.Example;
import org.panamaverbs.examples.command.Option;
import org.panamaverbs.examples.command.TwoEnds;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * A provider by a third party, which copies memory within this process. Nothing here names its classes: it is a jar on
 * the path, found by its name.
 */
public final class CustomProvider implements Example {
    private static final int BYTES = 64;

    @Override
    public String name() {
        return "provider";
    }

    @Override
    public String summary() {
        return "a provider by a third party, found and used as any other";
    }

    @Override
    public List<Option> options() {
        return TwoEnds.options(
                new Option("provider", "NAME", "local", "which provider; the usual one is in this process"));
    }

    @Override
    public void run(Arguments arguments, PrintWriter out) throws Exception {
        OpenConfig config = OpenConfig.provider(arguments.text("provider"));
        TwoEnds.run(arguments, out, ends -> serve(ends, config), ends -> write(ends, config));
    }

    private static void serve(TwoEnds ends, OpenConfig config) {
        Verbs.providers().forEach(report -> ends.say("found: %s, priority %d", report.name(), report.priority()));
        try (var verbs = Verbs.open(config);
                var domain = verbs.protectionDomain();
                var lent = domain.allocate(BYTES, LOCAL_WRITE, REMOTE_WRITE);
                var bell = domain.allocate(BYTES, LOCAL_WRITE);
                var queue = verbs.completionQueue(4);
                var queuePair =
                        domain.queuePair(QueuePairConfig.of(domain, queue).withAccess(REMOTE_WRITE));
                var listener = verbs.listen(ends.listenAddress())) {
            PostStatus.check(queuePair.recv(1, bell));
            ends.listening(listener.localAddress());
            var offer =
                    ConnectionConfig.defaults().withPrivateData(lent.remote().encode());
            try (var request = listener.accept(ends.deadline());
                    var connection = request.accept(queuePair, offer, ends.deadline())) {
                await(queue, ends.deadline());
                ends.say("server: got \"%s\" by %s", lent.segment().getString(0), connection.transport());
                connection.awaitDisconnect(ends.deadline());
            }
        }
    }

    private static void write(TwoEnds ends, OpenConfig config) throws Exception {
        var server = ends.server();
        try (var verbs = Verbs.open(config);
                var domain = verbs.protectionDomain();
                var mine = domain.allocate(BYTES, LOCAL_WRITE);
                var queue = verbs.completionQueue(4);
                var connection = verbs.connect(server, QueuePairConfig.of(domain, queue), ends.deadline())) {
            ends.say(
                    "client: %s on device %s", verbs.selection(), verbs.device().name());
            var theirs = RemoteBuffer.decode(connection.privateData());
            mine.segment().setString(0, "Hello over " + verbs.provider());
            PostStatus.check(connection.queuePair().write(1, mine, 0, BYTES, theirs, 0, NONE));
            PostStatus.check(connection.queuePair().send(2, mine, 0, 0, SIGNALED));
            await(queue, ends.deadline());
            connection.disconnect(ends.deadline());
        }
    }

    private static void await(CompletionQueue queue, Deadline deadline) {
        var completions = WorkCompletions.ofCapacity(1);
        queue.poll(completions, deadline);
        if (!completions.get(0).ok()) {
            throw new IllegalStateException(completions.get(0).toString());
        }
    }
}
