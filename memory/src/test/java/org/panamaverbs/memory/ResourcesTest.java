package org.panamaverbs.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ResourcesTest {
    private static final int LIMIT_SECONDS = 20;

    @Test
    void closesInReverseOrderDespiteFailures() {
        List<String> closed = new ArrayList<>();
        Resources resources = new Resources();
        resources.add(() -> closed.add("first"));
        resources.add(() -> {
            closed.add("second");
            throw new IllegalStateException("second fails");
        });
        resources.add(() -> {
            closed.add("third");
            throw new IllegalStateException("third fails");
        });

        Throwable failure = catchThrowable(resources::close);

        assertThat(closed).containsExactly("third", "second", "first");
        assertThat(failure).isInstanceOf(IllegalStateException.class);
        assertThat(failure.getCause()).hasMessage("third fails");
        assertThat(failure.getSuppressed()).hasSize(1);
        resources.close();
        assertThat(closed).hasSize(3);
    }

    @Test
    void whatIsClosedMayWaitForWhoAdds() {
        List<String> closed = new ArrayList<>();
        Resources resources = new Resources();
        resources.add(() -> {
            CompletableFuture.runAsync(() -> resources.add(() -> closed.add("late")))
                    .get(LIMIT_SECONDS, TimeUnit.SECONDS);
            closed.add("early");
        });

        resources.close();

        assertThat(closed).containsExactly("early", "late");
    }

    @Test
    void whatIsClosedMayWaitForWhoClosesToo() {
        List<String> closed = new CopyOnWriteArrayList<>();
        Resources resources = new Resources();
        resources.add(() -> closed.add("first"));
        resources.add(() -> {
            CompletableFuture.runAsync(resources::close).get(LIMIT_SECONDS, TimeUnit.SECONDS);
            closed.add("last");
        });

        resources.close();

        assertThat(closed).containsExactly("first", "last");
    }

    @Test
    void tellsItsCallerInTheCallersTerms() {
        Resources resources = new Resources();
        resources.add(() -> {
            throw new IllegalStateException("it fails");
        });

        assertThat(catchThrowable(() -> resources.close((resource, failure) -> new IOException("told", failure))))
                .isInstanceOf(IOException.class)
                .hasMessage("told")
                .hasRootCauseMessage("it fails");
    }

    /** Something with parents, whose first close fails. */
    private static final class Stubborn extends ManagedResource {
        private boolean failed;

        Stubborn(String name, ManagedResource... parents) {
            super(name, parents);
        }

        @Override
        protected void destroy() {
            if (!failed) {
                failed = true;
                throw new IllegalStateException("the device keeps " + resourceName());
            }
        }
    }

    @Test
    void parentsOfWhatDidNotCloseSayNothingBesides() {
        Resources resources = new Resources();
        TestDomain device = resources.add(new TestDomain());
        Stubborn domain = new Stubborn("domain 1", device);
        domain.failed = true;
        resources.add(domain);
        Stubborn queuePair = resources.add(new Stubborn("queue pair 1", domain));

        Throwable failure = catchThrowable(resources::close);

        assertThat(failure).hasMessageContaining("queue pair 1").hasNoSuppressedExceptions();
        assertThat(failure).hasRootCauseMessage("the device keeps queue pair 1");
        queuePair.close();
        domain.close();
        device.close();
    }

    @Test
    void parentsWithOtherOpenChildrenStillSaySo() {
        Resources resources = new Resources();
        TestDomain device = resources.add(new TestDomain());
        Stubborn stray = new Stubborn("stray", device);
        stray.failed = true;
        Stubborn queuePair = resources.add(new Stubborn("queue pair 1", device));

        Throwable failure = catchThrowable(resources::close);

        assertThat(failure.getSuppressed()).hasSize(1);
        assertThat(failure.getSuppressed()[0]).hasMessageContaining("stray");
        queuePair.close();
        stray.close();
        device.close();
    }

    @Test
    void whatWasHandedOverIsClosedByItsTakerAlone() {
        List<String> closed = new ArrayList<>();
        Resources taker;
        try (Resources scope = new Resources()) {
            scope.add(() -> closed.add("first"));
            scope.add(() -> closed.add("second"));
            taker = scope.handOver();
            scope.add(() -> closed.add("later"));
        }
        assertThat(closed).containsExactly("later");

        taker.close();
        assertThat(closed).containsExactly("later", "second", "first");
    }

    /** As the virtual machine throws for want of memory. */
    @Test
    void closesAllThoughEachFailsByTheSameError() {
        Resources resources = new Resources();
        OutOfMemoryError failure = new OutOfMemoryError("of a test");
        AtomicInteger tries = new AtomicInteger();
        for (int i = 0; i < 3; i++) {
            resources.add(() -> {
                tries.incrementAndGet();
                throw failure;
            });
        }

        assertThat(catchThrowable(() -> resources.close((resource, e) -> e))).isSameAs(failure);
        assertThat(tries).hasValue(3);
    }
}
