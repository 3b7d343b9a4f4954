package com.ibm.disni.verbs;

import java.io.IOException;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.disni.PanamaProvider;

/**
 * Where DiSNI gets its verbs from: stands in for DiSNI's class of this name, which knows its JNI library alone. Written
 * from DiSNI's public contract; it counts because its jar comes first on the class path.
 *
 * <p>The provider is that of Panama Verbs, or the class that the system property {@code com.ibm.jverbs.provider} names,
 * the property that DiSNI documents. {@code com.ibm.disni.verbs.impl.RdmaProviderNat} is DiSNI's own.
 */
@NullMarked
public abstract class RdmaProvider {
    /** The property that names another provider's class. */
    private static final String PROPERTY = "com.ibm.jverbs.provider";

    private static @Nullable RdmaProvider provider;

    /** For subclasses. */
    protected RdmaProvider() {}

    /**
     * Returns the provider, the same for all of the process.
     *
     * @throws IOException if the class that the property names is not there, or is no provider
     */
    public static synchronized RdmaProvider provider() throws IOException {
        if (provider == null) {
            String name = System.getProperty(PROPERTY, "").strip();
            provider = name.isEmpty() ? new PanamaProvider() : named(name);
        }
        return provider;
    }

    private static RdmaProvider named(String name) throws IOException {
        try {
            return Class.forName(name)
                    .asSubclass(RdmaProvider.class)
                    .getConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
            throw new IOException(
                    "the class " + name + " that -D" + PROPERTY + " names cannot be had as a provider of DiSNI (" + e
                            + "); leave the property out for that of Panama Verbs",
                    e);
        }
    }

    /**
     * Returns the connection manager.
     *
     * @throws IOException if there is none
     */
    public abstract RdmaCm openCm() throws IOException;

    /**
     * Returns the verbs.
     *
     * @throws IOException if there are none
     */
    public abstract RdmaVerbs openVerbs() throws IOException;

    /** Returns the version of the interface. */
    public abstract int getVersion();
}
