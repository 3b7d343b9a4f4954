package org.panamaverbs.api.xrc;

import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.api.Verbs;

/**
 * A device with extended reliable connections: what a provider's {@link Verbs} implement beside them where its devices
 * may have such. Any thread.
 */
public interface XrcDevice {
    /**
     * Returns {@code verbs} as such a device.
     *
     * @throws UnsupportedOperationException if the device lacks {@link Feature#XRC}
     */
    static XrcDevice of(Verbs verbs) {
        verbs.capabilities().require(Feature.XRC, verbs.device().name());
        if (verbs instanceof XrcDevice device) {
            return device;
        }
        throw new UnsupportedOperationException("provider " + verbs.provider() + " does not support XRC domains;"
                + " remedy: use ibverbs on a device with XRC");
    }

    /**
     * Opens a domain ({@code ibv_open_xrcd(3)}).
     *
     * @throws org.panamaverbs.api.ResourceException if the file cannot be opened to be read, or the device refuses: it
     *     has no domain of the file and none is to be made (EAGAIN), or it has one and a new one is wanted (EINVAL)
     * @throws IllegalStateException if the device is closed
     * @throws UnsupportedOperationException if the device lacks {@link Feature#XRC}
     */
    XrcDomain openXrcDomain(XrcDomainConfig config);
}
