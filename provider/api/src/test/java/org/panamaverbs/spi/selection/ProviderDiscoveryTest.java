package org.panamaverbs.spi.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.logging.Filter;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.ProviderUnavailableException;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.device.ProviderReport;
import org.panamaverbs.spi.VerbsProvider;

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
            assertThat(new ProviderSearch(own, null, inner).found())
                    .singleElement()
                    .satisfies(found ->
                            assertThat(found.getClass().getClassLoader()).isSameAs(own));
        }
    }

    @Test
    void providerThatBothClassLoadersHaveACopyOfIsThereOnce() throws IOException {
        try (URLClassLoader own = new Plugins(plugin());
                URLClassLoader copy = new Plugins(plugin())) {
            assertThat(new ProviderSearch(own, null, copy).found())
                    .singleElement()
                    .satisfies(found ->
                            assertThat(found.getClass().getClassLoader()).isSameAs(own));
        }
    }

    /** As an application server has it whose applications bring all their libraries. */
    @Test
    void contextClassLoaderWithACopyOfTheApiIsPassedOverInSilence() throws IOException {
        List<String> before = namesWith(null);
        List<String> lines = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger("org.panamaverbs.api");
        Filter filter = logger.getFilter();
        logger.setFilter(line -> {
            lines.add(line.getMessage());
            return true;
        });
        // Without a parent: the platform's finds packages of named modules in the application's.
        try (URLClassLoader copy = new URLClassLoader("copy", pathsWith(plugin()), null)) {
            assertThat(namesWith(copy)).isEqualTo(before);
            assertThat(lines).isEmpty();
            assertThatThrownBy(() -> with(copy, () -> Verbs.open(OpenConfig.provider("nobody"))))
                    .hasMessageContaining(
                            "copy, the thread's context class loader, which has a copy of the API of its own");
        } finally {
            logger.setFilter(filter);
        }
    }

    @Test
    void classLoadersThatWereAskedAreNamed() throws IOException {
        try (URLClassLoader shop = new URLClassLoader("shop", new URL[0], Verbs.class.getClassLoader())) {
            for (OpenConfig config : List.of(OpenConfig.provider("nobody"), OpenConfig.provider(OpenConfig.AUTO))) {
                assertThatThrownBy(() -> with(shop, () -> Verbs.open(config)))
                        .isInstanceOf(ProviderUnavailableException.class)
                        .hasMessageContainingAll(
                                "app, the API's class loader",
                                "shop, the thread's context class loader",
                                "Verbs.open(config, loader)");
            }
        }
    }

    /** A thread of the common pool has the context class loader of no application. */
    @Test
    void providerOfTheClassLoaderThatIsGivenIsFound() throws IOException {
        try (URLClassLoader plugins = new Plugins(plugin())) {
            assertThat(with(null, () -> Verbs.providers(plugins)))
                    .extracting(ProviderReport::name)
                    .containsOnlyOnce("plugin");
            assertThatThrownBy(() -> with(null, () -> Verbs.open(OpenConfig.provider("plugin"), plugins)))
                    .hasMessageContaining("it is only to be found");
            assertThatThrownBy(() -> with(null, () -> Verbs.open(OpenConfig.provider("plugin"))))
                    .hasMessageContaining("no provider is named plugin");
        }
    }

    /** The paths of this process, which finds this module on either. */
    private static URL[] pathsWith(URL more) throws IOException {
        List<URL> urls = new ArrayList<>(List.of(more));
        for (String property : List.of("jdk.module.path", "java.class.path")) {
            for (String entry : System.getProperty(property, "").split(File.pathSeparator, -1)) {
                if (!entry.isEmpty()) {
                    urls.add(Path.of(entry).toUri().toURL());
                }
            }
        }
        return urls.toArray(URL[]::new);
    }

    private static List<String> namesWith(@org.jspecify.annotations.Nullable ClassLoader context) {
        return with(
                context,
                () -> Verbs.providers().stream().map(ProviderReport::name).toList());
    }

    private static <T> T with(@org.jspecify.annotations.Nullable ClassLoader context, Supplier<T> action) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(context);
        try {
            return action.get();
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
