package org.panamaverbs.disni.objects;

import com.ibm.disni.verbs.IbvMr;
import java.io.IOException;
import org.panamaverbs.memory.RegisteredBuffer;

/** A registration; its length, which DiSNI has in 32 bits, is the low half of {@link RegisteredBuffer#length()}. */
public final class Mr extends IbvMr {
    private final Context owner;
    private final RegisteredBuffer buffer;

    public Mr(Context context, RegisteredBuffer buffer, int number) throws IOException {
        super(context, buffer.iova(), (int) buffer.length(), buffer.access(), buffer.lkey(), buffer.rkey(), number);
        owner = context;
        this.buffer = buffer;
        owner.holds(buffer, "memory region " + number);
    }

    public RegisteredBuffer buffer() {
        return buffer;
    }

    public void destroy() throws IOException {
        if (!isOpen) {
            throw Failures.closed("deregMr", "memory region " + handle);
        }
        Failures.run("deregMr", buffer::close);
        owner.ended(buffer);
        isOpen = false;
    }
}
