package org.panamaverbs.disni;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaProvider;
import com.ibm.disni.verbs.RdmaVerbs;
import java.io.IOException;
import org.panamaverbs.disni.cm.Cm;
import org.panamaverbs.disni.objects.Device;

/** The provider that DiSNI gets; opens the device of {@code Verbs.open()} when the first event channel is made. */
public final class PanamaProvider extends RdmaProvider {
    /** What DiSNI 2.0 and 2.1 expect of their JNI library. */
    private static final int INTERFACE_VERSION = 32;

    private final Device device = new Device();
    private final Cm cm;
    private final Calls verbs = new Calls();

    /**
     * Creates the provider. DiSNI's types ask for the provider while they are made, so nothing of theirs is made here.
     */
    public PanamaProvider() {
        cm = new Cm(device);
    }

    /** Closes the device, see {@link DisniExtensions#closeDevice}. */
    void closeDevice() throws IOException {
        device.close();
    }

    @Override
    public RdmaCm openCm() {
        return cm;
    }

    @Override
    public RdmaVerbs openVerbs() {
        return verbs;
    }

    @Override
    public int getVersion() {
        return INTERFACE_VERSION;
    }
}
