package org.panamaverbs.api.selection;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.spi.ProviderReport;
import org.panamaverbs.api.spi.VerbsProvider;

/** Where providers are looked for: beside the api, and where the thread's context class loader says. */
class ProviderDiscoveryTest {
    @TempDir
    private Path directory;

    @Test
    void providerOfTheContextClassLoaderIsFound() throws IOException {
        assertThat(namesWith(Thread.currentThread().getContextClassLoader())).doesNotContain("plugin");
        try (URLClassLoader plugins = new Plugins(plugin())) {
            assertThat(namesWith(plugins)).containsOnlyOnce("plugin");
        }
    }

    @Test
    void threadWithoutContextClassLoaderHasTheProvidersOfTheApi() {
        assertThat(namesWith(null)).isEqualTo(namesWith(Verbs.class.getClassLoader()));
    }

    @Test
    void providerThatBothClassLoadersFindIsThereOnce() throws IOException {
        try (URLClassLoader own = new Plugins(plugin());
                URLClassLoader inner = new URLClassLoader(new URL[0], own)) {
            assertThat(ProviderSelection.providers(own, inner))
                    .singleElement()
                    .satisfies(found ->
                            assertThat(found.getClass().getClassLoader()).isSameAs(own));
        }
    }

    @Test
    void providerThatBothClassLoadersHaveACopyOfIsThereOnce() throws IOException {
        try (URLClassLoader own = new Plugins(plugin());
                URLClassLoader copy = new Plugins(plugin())) {
            assertThat(ProviderSelection.providers(own, copy))
                    .singleElement()
                    .satisfies(found ->
                            assertThat(found.getClass().getClassLoader()).isSameAs(own));
        }
    }

    private static List<String> namesWith(@org.jspecify.annotations.Nullable ClassLoader context) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(context);
        try {
            return Verbs.providers().stream().map(ProviderReport::name).toList();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Returns a directory with the class and its registration. */
    private URL plugin() throws IOException {
        String file = PluginProvider.class.getName().replace('.', '/') + ".class";
        Path copy = directory.resolve(file);
        if (!Files.exists(copy)) {
            Files.createDirectories(Objects.requireNonNull(copy.getParent()));
            try (InputStream original = PluginProvider.class.getClassLoader().getResourceAsStream(file)) {
                Files.copy(Objects.requireNonNull(original), copy);
            }
            Path services = Files.createDirectories(directory.resolve("META-INF/services"));
            Files.writeString(services.resolve(VerbsProvider.class.getName()), PluginProvider.class.getName());
        }
        return directory.toUri().toURL();
    }

    /** A class loader of plug-ins: it defines their classes itself, although the tests have them, too. */
    private static final class Plugins extends URLClassLoader {
        Plugins(URL directory) {
            super(new URL[] {directory}, Verbs.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals(PluginProvider.class.getName())) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? findClass(name) : loaded;
            }
        }
    }
}
