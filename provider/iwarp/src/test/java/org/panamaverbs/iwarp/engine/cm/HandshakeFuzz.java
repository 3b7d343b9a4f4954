package org.panamaverbs.iwarp.engine.cm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.iwarp.core.FuzzAdvertisement;
import org.panamaverbs.iwarp.core.FuzzInput;
import org.panamaverbs.iwarp.core.FuzzStartup;
import org.panamaverbs.iwarp.core.setup.MpaStartup;
import org.panamaverbs.iwarp.engine.transport.Transport;

/**
 * Fuzz target: the set-up by the engine, over a socket. The bytes come in pieces, with others behind them, with a FIN
 * or a reset. What comes of it is what the core says of the same bytes; the application hears of a failure what it is,
 * and what is behind the frame is left for the stream. The private data are taken for an advertised buffer.
 */
public final class HandshakeFuzz {
    private static final int FIN = 0x01;
    private static final int RESET = 0x02;
    private static final int SINGLE = 0x04;

    private HandshakeFuzz() {}

    /** Entry point of the fuzzer. */
    public static void fuzzerTestOneInput(byte[] data) {
        run(data);
    }

    /** Plays one case and answers what it reached. */
    static List<String> run(byte[] data) {
        FuzzInput in = new FuzzInput(data);
        FuzzStartup model = FuzzStartup.of(in);
        int how = in.octet();
        int pieces = (how & SINGLE) != 0 ? 1 : 1 + in.u16() % 600;
        List<String> reached = new ArrayList<>(model.reached());
        try (FuzzHandshake engine = new FuzzHandshake(model)) {
            engine.send(model.offered(), pieces);
            boolean reset = (how & RESET) != 0;
            MpaStartup.Failure failure = model.startup().failure();
            boolean fin = (how & FIN) != 0
                    || (failure != null && failure.reason() == MpaStartup.FailureReason.CLOSED)
                    || beginsAsTls(model);
            if (reset) {
                engine.reset();
            } else if (fin) {
                engine.shutDown();
            }
            reached.add(judge(model, engine, fin, reset));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return reached;
    }

    // The first bytes of what a side with TLS sends to one without: alerts and hellos are records of version 3.
    private static boolean beginsAsTls(FuzzStartup model) {
        byte[] octets = model.offered();
        return octets.length > 1 && octets[0] == (model.isInitiator() ? 0x15 : 0x16) && octets[1] == 0x03;
    }

    private static void expect(boolean holds, String what, FuzzStartup model, Object got) {
        if (!holds) {
            throw new AssertionError(what + "\n" + model.config() + "\n" + model.reached() + "\n" + got);
        }
    }

    private static String judge(FuzzStartup model, FuzzHandshake engine, boolean fin, boolean reset)
            throws IOException, InterruptedException {
        FuzzHandshake.Outcome outcome = engine.outcome();
        ConnectionException failure = outcome.failure();
        if (failure != null) {
            String message = Objects.requireNonNullElse(failure.getMessage(), "");
            expect(!message.contains("internal error"), "fails inside", model, failure);
            if (failure.reason() == Reason.SECURITY) {
                expect(beginsAsTls(model), "takes it for TLS", model, failure);
                return "TLS";
            }
        }
        int behind = model.offered().length - model.taken();
        // RFC 5044 §7.1.2: nothing comes between the request and the reply, no end either.
        boolean silent = !fin && behind == 0;
        boolean mayBreak = reset || (!model.isInitiator() && !silent);
        if (failure != null && failure.reason() == Reason.RESET && mayBreak) {
            return "broken";
        }
        expectSent(model, engine, reset);
        Transport transport = outcome.transport();
        if (model.state() == MpaStartup.State.DONE) {
            expect(transport != null, "should be agreed", model, outcome);
            expectAgreed(model, engine.startup());
            if (transport != null && behind > 0 && !reset) {
                byte[] octets = model.offered();
                byte[] right = Arrays.copyOfRange(octets, model.taken(), octets.length);
                expect(Arrays.equals(engine.left(transport, behind), right), "takes what is behind", model, behind);
                return "agreed, and bytes behind";
            }
            return "agreed";
        }
        expect(transport == null, "should not be agreed", model, outcome);
        expectEnd(model, failure);
        expect(reset || engine.received(1).length == 0, "goes on", model, outcome);
        return failure == null ? "rejected" : failure.reason().toString();
    }

    private static void expectSent(FuzzStartup model, FuzzHandshake engine, boolean reset) {
        if (reset) {
            return;
        }
        byte[] right = model.sent();
        byte[] sent = engine.received(right.length);
        // Bytes that nobody read make a reset of the end, which may overtake the answer.
        boolean cut = model.taken() < model.offered().length && model.state() != MpaStartup.State.DONE;
        boolean same = Arrays.equals(sent, cut ? Arrays.copyOf(right, sent.length) : right);
        expect(same, "sends something else", model, Arrays.toString(sent));
    }

    private static void expectAgreed(FuzzStartup model, MpaStartup startup) {
        expect(startup.negotiated().equals(model.negotiated()), "agrees on other", model, startup.negotiated());
        expect(
                Objects.equals(startup.startFault(), model.startup().startFault()),
                "begins other",
                model,
                "" + startup.startFault());
        byte[] privateData = startup.peerPrivateData();
        expect(
                Arrays.equals(privateData, model.startup().peerPrivateData()),
                "other private data",
                model,
                Arrays.toString(privateData));
        FuzzAdvertisement.check(privateData, privateData.length, 1, 0);
    }

    private static void expectEnd(FuzzStartup model, @Nullable ConnectionException failure) {
        if (failure == null) {
            expect(model.rejection() != null, "nobody rejected", model, "no failure");
            return;
        }
        if (model.state() == MpaStartup.State.REJECTED) {
            byte[] said = failure.privateData();
            boolean same = Arrays.equals(said, model.startup().peerPrivateData());
            expect(failure.reason() == Reason.REJECTED && same, "is rejected otherwise", model, failure);
            return;
        }
        MpaStartup.Failure modelled = Objects.requireNonNull(model.startup().failure());
        Reason right = modelled.reason() == MpaStartup.FailureReason.CLOSED ? Reason.RESET : Reason.PROTOCOL;
        expect(failure.reason() == right, "should fail with " + right, model, failure);
    }
}
