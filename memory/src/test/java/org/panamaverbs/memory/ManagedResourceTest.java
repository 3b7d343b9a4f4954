package org.panamaverbs.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ManagedResourceTest {
    /** Counts how often it is released. */
    private static class Thing extends ManagedResource {
        final AtomicInteger releases = new AtomicInteger();

        @Nullable
        RuntimeException failure;

        @Nullable
        String refusal;

        @Nullable
        String remark;

        Thing(String name, ManagedResource... parents) {
            super(name, parents);
        }

        @Override
        protected void release() {
            releases.incrementAndGet();
            if (failure != null) {
                throw failure;
            }
        }

        @Override
        protected @Nullable String closeRefusal() {
            return refusal;
        }

        @Override
        protected @Nullable String remark() {
            return remark;
        }
    }

    @Test
    void closesOnce() {
        Thing thing = new Thing("thing 1");
        assertThat(thing.isOpen()).isTrue();
        assertThat(thing.resourceName()).isEqualTo("thing 1");
        thing.requireOpen();
        thing.close();
        thing.close();
        assertThat(thing.isOpen()).isFalse();
        assertThat(thing.releases).hasValue(1);
        assertThatThrownBy(thing::requireOpen)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("thing 1 is closed");
    }

    @Test
    void refusesToCloseBeforeItsChildren() {
        Thing context = new Thing("context 1");
        Thing domain = new Thing("domain 1", context);
        Thing queue = new Thing("queue 1", context);
        Thing pair = new Thing("pair 1", domain, queue);
        assertThatThrownBy(context::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Cannot close context 1: 2 open resources must be closed first, in this order:"
                        + " queue 1, domain 1");
        assertThatThrownBy(domain::close)
                .hasMessageContaining("1 open resource must be closed first, in this order: pair 1");
        assertThatThrownBy(queue::close).isInstanceOf(IllegalStateException.class);
        assertThat(context.isOpen()).isTrue();
        context.requireOpen();

        for (Thing thing : List.of(pair, queue, domain, context)) {
            thing.close();
            assertThat(thing.releases).hasValue(1);
        }
    }

    @Test
    void saysWhatThereIsToKnowOfAChild() {
        Thing parent = new Thing("parent");
        Thing child = new Thing("child", parent);
        child.remark = "it closes by itself";
        assertThatThrownBy(parent::close).hasMessageEndingWith(": child (it closes by itself)");
        child.close();
        parent.close();
    }

    @Test
    void namesAtMostFiveChildrenNewestFirst() {
        Thing parent = new Thing("parent");
        List<Thing> children = new ArrayList<>();
        for (int i = 1; i <= 7; i++) {
            children.add(new Thing("child " + i, parent));
        }
        assertThatThrownBy(parent::close)
                .hasMessageContaining("7 open resources")
                .hasMessageEndingWith(": child 7, child 6, child 5, child 4, child 3, 2 more");
        children.forEach(Thing::close);
        parent.close();
    }

    @Test
    void closesAllTheSameWhenReleaseFails() {
        Thing parent = new Thing("parent");
        Thing child = new Thing("child", parent);
        child.failure = new IllegalArgumentException("device is gone");
        assertThatThrownBy(child::close).isSameAs(child.failure);
        assertThat(child.isOpen()).isFalse();
        child.close();
        assertThat(child.releases).hasValue(1);
        parent.close();
        assertThat(parent.isOpen()).isFalse();
    }

    @Test
    void canBeClosedAgainWhenItIsNotDestroyed() {
        AtomicInteger attempts = new AtomicInteger();
        Thing parent = new Thing("parent");
        Thing child = new Thing("child", parent) {
            @Override
            protected void destroy() {
                assertThat(isOpen()).isFalse();
                if (attempts.incrementAndGet() <= 2) {
                    throw new IllegalArgumentException("device is busy");
                }
            }
        };
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(child::close).hasMessage("device is busy");
            assertThat(child.isOpen()).isFalse();
            assertThat(child).hasToString("child (could not be closed)");
            assertThatThrownBy(child::requireOpen)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("child could not be closed; remedy: close it again");
            assertThatThrownBy(() -> new Thing("grandchild", child)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(parent::close).hasMessageContaining("child");
            assertThat(child.releases).hasValue(0);
        }
        child.close();
        child.close();
        assertThat(attempts).hasValue(3);
        assertThat(child.releases).hasValue(1);
        assertThat(child).hasToString("child (closed)");
        parent.close();
    }

    /** As where memory ends in an undoing: nobody has the child any more. */
    @Test
    void whatItsMakerCouldNotCloseIsClosedByTheFirstOfItsParents() {
        Thing domain = new Thing("domain");
        Thing queue = new Thing("queue");
        AtomicInteger failures = new AtomicInteger(2);
        Thing pair = new Thing("pair", domain, queue) {
            @Override
            protected void destroy() {
                if (failures.getAndDecrement() > 0) {
                    throw new OutOfMemoryError("of a test");
                }
            }
        };
        Thing window = new Thing("window", pair) {
            @Override
            protected @Nullable String closeRefusal() {
                return failures.get() > 1 ? "it is in use" : null;
            }
        };

        assertThatThrownBy(window::closeOrLeave).hasMessageContaining("it is in use");
        assertThatThrownBy(pair::closeOrLeave).hasMessageContaining("it is in use");
        failures.decrementAndGet();
        assertThatThrownBy(queue::close).isInstanceOf(OutOfMemoryError.class);
        assertThat(queue.isOpen()).isTrue();
        assertThat(window.releases).hasValue(1);
        queue.close();

        assertThat(pair.releases).hasValue(1);
        domain.close();
        assertThat(pair.releases).hasValue(1);
    }

    @Test
    void parentsCloseEachThatWasLeftThoughAnotherFailsByAnError() {
        Thing queue = new Thing("queue");
        AtomicInteger failures = new AtomicInteger(4);
        OutOfMemoryError want = new OutOfMemoryError("of a test");
        List<Thing> pairs = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            pairs.add(new Thing("pair", queue) {
                @Override
                protected void destroy() {
                    if (failures.getAndDecrement() > 0) {
                        throw want;
                    }
                }
            });
        }
        for (Thing pair : pairs) {
            assertThatThrownBy(pair::closeOrLeave).isSameAs(want);
        }

        assertThatThrownBy(queue::close).isSameAs(want);
        assertThat(failures).hasValue(0);
        queue.close();

        assertThat(pairs).allSatisfy(pair -> assertThat(pair.releases).hasValue(1));
        assertThat(queue.isOpen()).isFalse();
    }

    @Test
    void staysOpenWhenItRefuses() {
        Thing thing = new Thing("thing");
        thing.refusal = "it is in use";
        assertThatThrownBy(thing::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Cannot close thing: it is in use");
        assertThat(thing.isOpen()).isTrue();
        thing.refusal = null;
        thing.close();
        assertThat(thing.releases).hasValue(1);
    }

    @Test
    void isAChildOfNoneWhenOneParentIsClosed() {
        Thing open = new Thing("open");
        Thing closed = new Thing("closed one");
        closed.close();
        assertThatThrownBy(() -> new Thing("orphan", open, closed))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Cannot create orphan: closed one is closed");
        open.close();
        assertThat(open.isOpen()).isFalse();
    }

    @Test
    void isNeitherOpenNorClosableByOthersWhileItReleases() throws InterruptedException {
        CountDownLatch releasing = new CountDownLatch(1);
        CountDownLatch proceed = new CountDownLatch(1);
        Thing parent = new Thing("parent");
        Thing slow = new Thing("slow", parent) {
            @Override
            protected void release() {
                super.release();
                releasing.countDown();
                try {
                    proceed.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        };
        Thread closer = Thread.ofPlatform().start(slow::close);
        releasing.await();
        assertThatThrownBy(slow::requireOpen).hasMessage("slow is being closed");
        slow.close();
        assertThatThrownBy(parent::close).hasMessageContaining("slow");
        assertThatThrownBy(() -> new Thing("late", slow)).isInstanceOf(IllegalStateException.class);
        proceed.countDown();
        closer.join();
        assertThat(slow.releases).hasValue(1);
        parent.close();
    }

    @Test
    void neitherClosesUnderANewChildNorReleasesTwice() throws InterruptedException {
        for (int round = 0; round < 500; round++) {
            Thing parent = new Thing("parent");
            AtomicReference<@Nullable Thing> child = new AtomicReference<>();
            List<Thread> threads = List.of(
                    Thread.ofPlatform().start(() -> closeQuietly(parent)),
                    Thread.ofPlatform().start(() -> closeQuietly(parent)),
                    Thread.ofPlatform().start(() -> {
                        try {
                            child.set(new Thing("child", parent));
                        } catch (IllegalStateException refused) {
                            child.set(null);
                        }
                    }));
            for (Thread thread : threads) {
                thread.join();
            }
            Thing made = child.get();
            assertThat(parent.isOpen()).as("open exactly if a child was made").isEqualTo(made != null);
            if (made != null) {
                made.close();
            }
            parent.close();
            assertThat(parent.releases).hasValue(1);
        }
    }

    private static void closeQuietly(Thing thing) {
        try {
            thing.close();
        } catch (IllegalStateException refused) {
            assertThat(refused).hasMessageContaining("Cannot close");
        }
    }
}
