package org.panamaverbs.iwarp.core;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.panamaverbs.iwarp.core.setup.MpaStartup;
import org.panamaverbs.iwarp.core.setup.MpaStartup.State;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.core.setup.Rtr;
import org.panamaverbs.iwarp.core.setup.StartupConfig;

/** How two sides come to a connection: maybe at the second or third attempt, over pipes that cut or end. */
final class SimStartup {
    private final SplittableRandom random;
    private final SimStory story;
    private final StartupConfig wanted;
    private final StartupConfig offered;

    SimStartup(SplittableRandom random, SimStory story) {
        this.random = random;
        this.story = story;
        int revision = 1 + random.nextInt(2);
        // Revision 1 does not negotiate depths: both have to be set to the same.
        int fixed = 1 + random.nextInt(8);
        int rtr = 1 + random.nextInt(7);
        wanted = config(revision, fixed, 7);
        offered = config(revision, fixed, rtr);
    }

    private StartupConfig config(int revision, int fixed, int rtr) {
        int ird = revision == 1 ? fixed : random.nextInt(9);
        int ord = revision == 1 ? fixed : random.nextInt(9);
        byte[] privateData = new byte[random.nextInt(3) == 0 ? random.nextInt(400) : 0];
        random.nextBytes(privateData);
        return StartupConfig.builder()
                .crc(random.nextInt(3) > 0)
                .markers(random.nextInt(4) == 0)
                .revision(revision)
                .peerToPeer(revision == 2 && random.nextInt(4) > 0)
                .ird(ird)
                .ord(ord)
                .maxIrd(8)
                .rtrWrite((rtr & 1) != 0)
                .rtrRead((rtr & 2) != 0)
                .rtrSend((rtr & 4) != 0)
                .privateData(privateData)
                .build();
    }

    /** One connection with its two ends. */
    private static final class Attempt {
        final MpaStartup initiator;
        final MpaStartup responder;
        final Pipe there = new Pipe();
        final Pipe back = new Pipe();

        Attempt(StartupConfig wanted, StartupConfig offered) {
            initiator = MpaStartup.initiator(wanted);
            responder = MpaStartup.responder(offered);
        }
    }

    /** Makes attempts until one is whole; returns what the initiator and the responder agreed on. */
    Negotiated[] connect() {
        int before = random.nextInt(4) == 0 ? 1 + random.nextInt(2) : 0;
        Attempt[] attempts = new Attempt[before + 1];
        for (int i = 0; i <= before; i++) {
            attempts[i] = new Attempt(wanted, offered);
            if (i < before) {
                // What is cut at 1000 octets is whole: then it is a duplicate that nobody uses.
                long cut = random.nextInt(2) == 0 ? random.nextInt(20) : 1000;
                (random.nextBoolean() ? attempts[i].there : attempts[i].back).truncateAt = cut;
                story.tell("connection attempt %d of %d, cut after %d octets", i + 1, before + 1, cut);
            }
        }
        boolean moved = true;
        while (moved) {
            moved = false;
            for (Attempt attempt : attempts) {
                moved |= step(attempt);
            }
        }
        for (Attempt attempt : attempts) {
            boolean whole = attempt.there.truncateAt > 999 && attempt.back.truncateAt > 999;
            boolean agreed = attempt.initiator.state() == State.DONE;
            if (whole != agreed || (whole && attempt.responder.state() != State.DONE)) {
                throw new AssertionError("a connection attempt that is " + (whole ? "whole" : "cut") + " ends "
                        + attempt.initiator.state() + " and " + attempt.responder.state());
            }
        }
        return agreed(attempts[before]);
    }

    private boolean step(Attempt attempt) {
        boolean moved = move(attempt.initiator, attempt.there, attempt.back);
        moved |= move(attempt.responder, attempt.back, attempt.there);
        if (attempt.responder.state() == State.REQUEST_READY) {
            attempt.responder.accept(offered);
            return true;
        }
        return moved;
    }

    private boolean move(MpaStartup side, Pipe out, Pipe in) {
        ByteBuffer[] buffers = {side.transmitBuffer()};
        boolean moved = out.write(buffers, 0, 1, 1 + random.nextInt(40)) > 0;
        buffers[0] = side.receiveBuffer();
        long octets = buffers[0].hasRemaining() ? in.read(buffers, 1, 1 + random.nextInt(40)) : 0;
        if (octets > 0) {
            side.received();
        } else if (in.ended() && side.state() == State.IN_PROGRESS) {
            side.endOfStream();
            return true;
        }
        return moved || octets > 0;
    }

    private Negotiated[] agreed(Attempt attempt) {
        int emss = random.nextBoolean() ? Pair.EMSS : 128 + random.nextInt(66_000);
        Negotiated a = attempt.initiator.negotiated().withEmss(emss);
        Negotiated b = attempt.responder.negotiated().withEmss(emss);
        boolean same = a.crc() == b.crc()
                && a.rtr() == (b.rtr() == Rtr.WAIVED ? Rtr.NONE : b.rtr())
                && a.markersIn() == b.markersOut()
                && a.markersOut() == b.markersIn()
                && a.ord() <= b.ird()
                && b.ord() <= a.ird();
        if (!same) {
            throw new AssertionError("they agree on " + a.text() + " and " + b.text());
        }
        story.tell("A: %s", a.text());
        story.tell("B: %s", b.text());
        return new Negotiated[] {a, b};
    }
}
