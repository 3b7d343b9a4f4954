package org.panamaverbs.api.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.memory.STag;

class WindowBindingTest {
    private static final int READ = Access.mask(Access.REMOTE_READ);

    private static final class Domain extends ManagedResource {
        Domain(String name) {
            super(name);
        }
    }

    private static final class Window extends ManagedResource implements MemoryWindow {
        private final Domain domain;
        private WindowBinding binding = WindowBinding.none(5);

        Window(Domain domain) {
            super("window 7", domain);
            this.domain = domain;
        }

        Domain domain() {
            return domain;
        }

        @Override
        public Type type() {
            return Type.TYPE_2;
        }

        @Override
        public STag stag() {
            return new STag(binding.stag());
        }

        @Override
        public RemoteBuffer remote() {
            return binding.remote(this);
        }
    }

    private final Domain domain = new Domain("domain 1");
    private final Domain another = new Domain("domain 2");
    private final Window window = new Window(domain);

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

    private Window checked(MemoryWindow given, Domain of, int access) {
        return WindowBinding.checked(given, Window.class, Window::domain, of, "queue pair 3", access);
    }

    @Test
    void refusesWindowsOfOthersAndRightsThatAreNotOfPeers() {
        assertThat(checked(window, domain, READ)).isSameAs(window);
        assertThatThrownBy(() -> checked(window, another, READ))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the window is of another domain than queue pair 3");
        assertThatThrownBy(() -> checked(window, domain, READ | Access.mask(Access.LOCAL_WRITE)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("only rights of peers", "LOCAL_WRITE");
    }
}
