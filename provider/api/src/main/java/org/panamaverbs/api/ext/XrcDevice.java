package org.panamaverbs.api.ext;

import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.device.Capabilities.Feature;

/**
 * A device with extended reliable connections (XRC), implemented by the {@link Verbs} of providers that support them.
 * Any thread may call any method.
 */
public interface XrcDevice {
    /**
     * Returns {@code verbs} as an XRC device.
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
     * Opens an XRC domain: {@code ibv_open_xrcd(3)}.
     *
     * @throws org.panamaverbs.api.ResourceException if the file cannot be opened for reading, or the device refuses:
     *     the file has no domain and none may be created (EAGAIN), or it has one and a new one is required (EINVAL)
     * @throws IllegalStateException if the device is closed
     * @throws UnsupportedOperationException if the device lacks {@link Feature#XRC}
     */
    XrcDomain openXrcDomain(XrcDomainConfig config);
}
