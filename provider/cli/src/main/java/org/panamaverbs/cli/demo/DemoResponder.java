package org.panamaverbs.cli.demo;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.cli.command.CommandFailure;
import org.panamaverbs.cli.demo.ControlMessage.Kind;
import org.panamaverbs.memory.RemoteBuffer;

/** The peer that the operations are run on: it makes ready and checks what arrived, as the initiator asks. */
final class DemoResponder {
    private final Endpoint endpoint;

    /** Answers through {@code endpoint}, which has one control receive posted. */
    DemoResponder(Endpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** Answers until the initiator says that it is over. */
    void run() {
        while (true) {
            ControlMessage request = endpoint.receive();
            switch (request.kind()) {
                case PREPARE -> prepare(request);
                case VERIFY -> verify(request);
                case FINISH -> {
                    return;
                }
                default -> throw new CommandFailure("the initiator sent " + request.kind());
            }
        }
    }

    private void prepare(ControlMessage request) {
        RemoteBuffer remote = exercise(request).prepare(endpoint, request.seed());
        answer(Kind.READY, request, remote, "");
    }

    private void verify(ControlMessage request) {
        String difference = exercise(request).verify(endpoint, request.remote(), request.seed());
        answer(Kind.REPORT, request, null, difference == null ? "" : difference);
    }

    private void answer(Kind kind, ControlMessage request, @Nullable RemoteBuffer remote, String text) {
        endpoint.postControlReceive();
        endpoint.send(new ControlMessage(kind, request.exercise(), request.seed(), remote, text));
    }

    private static Exercise exercise(ControlMessage request) {
        return Exercises.all().get(request.exercise());
    }
}
