package org.panamaverbs.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;

class WindowTest {
    private static final int READ = Access.mask(Access.REMOTE_READ);

    private static final class Domain extends ManagedResource {
        Domain(String name) {
            super(name);
        }
    }

    private static final class Mine extends Window {
        private WindowBinding binding = WindowBinding.none(5);

        Mine(Domain domain) {
            super("window 7", domain, Type.TYPE_2);
        }

        @Override
        protected WindowBinding binding() {
            return binding;
        }

        @Override
        protected int nextRkey() {
            return 6;
        }
    }

    private final Domain domain = new Domain("domain 1");
    private final Domain another = new Domain("domain 2");
    private final Mine window = new Mine(domain);

    @AfterEach
    void close() {
        window.close();
        another.close();
        domain.close();
    }

    @Test
    void tellsPeersWhatItIsBoundTo() {
        assertThatThrownBy(window::remote)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("window 7 was never bound");

        window.binding = new WindowBinding(9, 0x1000, 64, READ);

        assertThat(window.remote()).isEqualTo(RemoteBuffer.of(9, 0x1000, 64, READ));
        window.binding = window.binding.under(10);
        assertThat(window.remote()).isEqualTo(RemoteBuffer.of(10, 0x1000, 64, READ));
        window.binding = window.binding.emptied(11);
        assertThat(window.remote()).isEqualTo(RemoteBuffer.of(11, 0x1000, 0, READ));
        window.close();
        assertThatThrownBy(window::remote).isInstanceOf(IllegalStateException.class);
    }

    private Mine checked(MemoryWindow given, Domain of, int access) {
        return Window.checked(given, Mine.class, of, access);
    }

    @Test
    void refusesWindowsOfOthersAndRightsThatAreNotOfPeers() {
        assertThat(checked(window, domain, READ)).isSameAs(window);
        assertThatThrownBy(() -> checked(window, another, READ))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the memory window does not belong to domain 2");
        int more = READ | Access.mask(Access.LOCAL_WRITE);
        assertThatThrownBy(() -> checked(window, domain, more))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("remote rights only", "LOCAL_WRITE");
        window.close();
        assertThatThrownBy(() -> checked(window, domain, READ)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> checked(window, domain, more)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesMemoryOfOthersBeforeItLooksAtIt() {
        RegisteredBuffer ours = new RegisteredBuffer(domain, 64, 1, 2, 0x1000, READ, () -> {});
        RegisteredBuffer others = new RegisteredBuffer(another, 64, 1, 2, 0x1000, READ, () -> {});
        assertThat(window.asked(ours, 8, 16, READ)).isEqualTo(new WindowBinding(6, 0x1008, 16, READ));
        assertThatThrownBy(() -> window.asked(ours, 60, 16, READ)).isInstanceOf(IndexOutOfBoundsException.class);
        ours.close();
        others.close();
        assertThatThrownBy(() -> window.asked(ours, 60, 16, READ)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> window.asked(others, 60, 16, READ))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the registered buffer does not belong to domain 1");
    }

    @Test
    void saysWhatItIsAndWhose() {
        assertThat(window.type()).isEqualTo(MemoryWindow.Type.TYPE_2);
        assertThat(window.domain()).isSameAs(domain);
        assertThat(window.rkey()).isEqualTo(5);
    }
}
