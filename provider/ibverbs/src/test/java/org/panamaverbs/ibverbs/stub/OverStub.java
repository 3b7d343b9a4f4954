package org.panamaverbs.ibverbs.stub;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.device.DeviceInfo.Transport;

/**
 * A test over the device of the stub, which is opened before each test and closed after it, with nothing left of what
 * the test has made. What the test told the stub is forgotten first.
 */
public abstract class OverStub {
    /** The open device, with its domain. */
    protected StubVerbs verbs;

    private int objects;

    @BeforeAll
    protected static void requireStub() {
        Stub.require();
    }

    @BeforeEach
    protected final void openDevice() {
        objects = Stub.objects();
        verbs = opened();
    }

    /** Opens the device for a test: as one of iWARP without any features, unless the class says otherwise. */
    protected StubVerbs opened() {
        return new StubVerbs();
    }

    /** Opens the device anew, as one of {@code transport}. */
    protected final void reopen(Transport transport) {
        verbs.close();
        verbs = new StubVerbs(transport);
    }

    /** Opens the device anew, as one of iWARP with {@code features}. */
    protected final void reopen(Set<Feature> features) {
        verbs.close();
        verbs = new StubVerbs(features);
    }

    @AfterEach
    protected final void closeDevice() {
        Stub.forget();
        verbs.close();
        Stub.bringBack(); // what was taken away is closed as such
        assertThat(Stub.ids()).as("ids of librdmacm that are left").isZero();
        assertThat(Stub.objects()).as("objects of libibverbs").isEqualTo(objects);
    }
}
