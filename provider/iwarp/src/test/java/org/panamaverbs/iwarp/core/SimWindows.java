package org.panamaverbs.iwarp.core;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.iwarp.core.SimRequests.Request;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.memory.Access;
import org.panamaverbs.spi.support.WindowBinding;

/**
 * Memory windows that one side lends the other: bound and taken back by the owner's requests, or given back by the
 * borrower's Sends with Invalidate. The applications tell each other what they lent outside of the connection.
 */
final class SimWindows {
    private static final int COUNT = 2;
    private static final int RIGHTS = Access.mask(Access.REMOTE_READ, Access.REMOTE_WRITE);

    private enum Phase {
        FREE,
        BINDING,
        LENT,
        RECALLED,
        TAKING_BACK,
        GIVEN_BACK,
        LOST
    }

    /** One window, and what is lent through it now. */
    static final class Window {
        final Region region;
        int offset;
        int length;
        int stag;
        boolean scoped;
        /** The borrower's last request through it. */
        int lastWrite = -1;

        int lastRead = -1;
        private Phase phase = Phase.FREE;

        Window(Region region) {
            this.region = region;
        }
    }

    private final Side owner;
    private final SimRequests ofOwner;
    private final SimRequests ofBorrower;
    private final SimZone zone;
    private final SplittableRandom random;
    private final SimStory story;
    private final List<Window> windows = new ArrayList<>();

    SimWindows(
            Side owner,
            SimRequests ofOwner,
            SimRequests ofBorrower,
            SimZone zone,
            SplittableRandom random,
            SimStory story) {
        this.owner = owner;
        this.ofOwner = ofOwner;
        this.ofBorrower = ofBorrower;
        this.zone = zone;
        this.random = random;
        this.story = story;
        for (int i = 0; i < COUNT; i++) {
            windows.add(new Window(owner.window()));
        }
    }

    /** Returns a window that is lent, if there is one; only one that may be given back if {@code scoped}. */
    @Nullable
    Window lent(boolean scoped) {
        for (Window window : windows) {
            if (window.phase == Phase.LENT && (window.scoped || !scoped)) {
                return window;
            }
        }
        return null;
    }

    /** The owner does something about one of its windows. */
    void act() {
        Window window = windows.get(random.nextInt(COUNT));
        switch (window.phase) {
            case FREE -> bind(window);
            case LENT -> {
                if (random.nextInt(3) == 0) {
                    window.phase = Phase.RECALLED;
                }
            }
            case RECALLED -> {
                if (isUnused(window)) {
                    takeBack(window);
                }
            }
            default -> {}
        }
    }

    private boolean isUnused(Window window) {
        return window.lastRead <= ofBorrower.answeredUpTo()
                && window.lastWrite <= Math.max(ofBorrower.answeredUpTo(), ofBorrower.deliveredUpTo());
    }

    private void takeBack(Window window) {
        int how = random.nextInt(3);
        if (how == 0) {
            bind(window);
        } else if (how == 1 && window.scoped) {
            int id = ofOwner.count();
            int status = owner.stream.sends().postLocalInvalidate(id, window.stag, SendFlag.SIGNALED);
            if (ofOwner.accepted(status)) {
                window.phase = Phase.TAKING_BACK;
                story.tell("%s: posts #%d LOCAL_INVALIDATE of 0x%08x", ofOwner.name(), id, window.stag);
                ofOwner.add(new Request(
                        id, WcOpcode.LOCAL_INVALIDATE, 0, true, false, (over, good) -> takenBack(window, good)));
            }
        } else {
            post(window, window.offset, 0, (over, good) -> takenBack(window, good));
        }
    }

    private void takenBack(Window window, boolean good) {
        window.phase = good ? Phase.FREE : Phase.LOST;
        if (good && !window.region.quiescent()) {
            throw new AssertionError("window 0x%08x is taken back and still grants access".formatted(window.stag));
        }
    }

    private void bind(Window window) {
        int length = 1 + random.nextInt(zone.size() / COUNT);
        int half = windows.indexOf(window) * (zone.size() / COUNT);
        int offset = half + random.nextInt(zone.size() / COUNT - length + 1);
        window.scoped = post(window, offset, length, (over, good) -> {
            window.phase = good ? Phase.LENT : Phase.LOST;
            window.lastRead = -1;
            window.lastWrite = -1;
        });
    }

    private boolean post(Window window, int offset, int length, SimRequests.Ending ending) {
        int id = ofOwner.count();
        boolean scoped = random.nextBoolean();
        int stag = window.region.nextStag(random.nextInt());
        int status = owner.stream
                .sends()
                .postBind(
                        id,
                        window.region,
                        scoped,
                        zone.stag(),
                        new WindowBinding(stag, zone.address(offset), length, RIGHTS),
                        SendFlag.SIGNALED);
        if (!ofOwner.accepted(status)) {
            return window.scoped;
        }
        story.tell("%s: posts #%d BIND_WINDOW 0x%08x to %d octets at %d", ofOwner.name(), id, stag, length, offset);
        ofOwner.add(new Request(id, WcOpcode.BIND_WINDOW, length, true, false, ending));
        window.phase = length == 0 ? Phase.TAKING_BACK : Phase.BINDING;
        window.stag = stag;
        window.offset = offset;
        window.length = length;
        return scoped;
    }

    /** The borrower sent it back. */
    void giveBack(Window window) {
        window.phase = Phase.GIVEN_BACK;
    }

    /** The owner received {@code stag} back. */
    void invalidated(int stag) {
        for (Window window : windows) {
            if (window.stag == stag && window.phase == Phase.GIVEN_BACK) {
                takenBack(window, true);
                return;
            }
        }
        throw new AssertionError("0x%08x is reported as invalidated, but nobody gave it back".formatted(stag));
    }
}
