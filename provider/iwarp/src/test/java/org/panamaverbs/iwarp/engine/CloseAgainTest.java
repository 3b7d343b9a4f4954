package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.engine.device.Context;
import org.panamaverbs.iwarp.engine.device.IwarpOptions;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.ManagedResource;

/** What could not be closed since a peer was in it can be closed again. */
@Timeout(60)
class CloseAgainTest {
    private static final class Owner extends ManagedResource {
        Owner() {
            super("a test");
        }
    }

    @Test
    void aWindowThatIsStillAccessedKeepsItsStagAndCanBeClosedAgain() {
        Owner owner = new Owner();
        Context context = new Context(owner, IwarpOptions.parse(Map.of(), new Properties()));
        try (Arena arena = Arena.ofShared()) {
            Regions regions = new Regions(context, 1, TimeUnit.MILLISECONDS.toNanos(20));
            Region memory = regions.enable(arena.allocate(64), 0, Access.mask(Access.REMOTE_READ));
            Region region = regions.reserve();
            IwarpMemoryWindow window = new IwarpMemoryWindow(owner, regions, MemoryWindow.Type.TYPE_2, region);
            int stag = window.nextRkey();
            assertThat(region.bind(stag, memory, 0, 64, Access.mask(Access.REMOTE_READ), 0))
                    .isTrue();
            assertThat(region.pin(stag)).isTrue();

            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(window::close)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("is still accessed")
                        .hasMessageContaining("close it again");
                assertThat(context.stags().size()).isEqualTo(2);
                assertThatThrownBy(owner::close).hasMessageContaining(window.resourceName());
            }

            region.unpin();
            window.close();
            assertThat(context.stags().size()).isOne();
            regions.disable(memory);
            owner.close();
        } finally {
            context.close();
        }
    }
}
