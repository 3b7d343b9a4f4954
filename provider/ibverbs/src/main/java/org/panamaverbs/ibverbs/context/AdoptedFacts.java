package org.panamaverbs.ibverbs.context;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.ext.Adoption;
import org.panamaverbs.bindings.ibverbs.ibv_qp;
import org.panamaverbs.memory.ManagedResource;

/** Compares what a native object says of itself with what its adopter says. */
public final class AdoptedFacts {
    private final String what;

    /**
     * Looks at {@code object} as a {@code kind} of {@code context}.
     *
     * @throws IllegalArgumentException if it is of another device, or is adopted or created here already
     */
    public AdoptedFacts(String kind, Adoption object, IbvContext context) {
        what = "adopt " + kind + (object.number() == 0 ? "" : " " + Integer.toUnsignedString(object.number()))
                + " at 0x%x".formatted(object.address());
        ManagedResource known = context.objects().at(object.address());
        if (known != null) {
            throw refusal("it is " + known.resourceName() + " already; remedy: use that object, or close it before"
                    + " its native"
                    + " object is destroyed");
        }
        // All objects begin with their context.
        MemorySegment start = MemorySegment.ofAddress(object.address()).reinterpret(ibv_qp.sizeof());
        require("context", ibv_qp.context(start), context.handle());
    }

    /** Does nothing if {@code told}, a number of the object, is {@code said}. */
    public void require(String fact, long told, long said) {
        if (told != said) {
            throw refusal("its " + fact + " is " + told + ", expected " + said
                    + "; remedy: pass what the vendor's call returned and was given");
        }
    }

    /** Does nothing if {@code told}, a pointer of the object, is {@code said}. */
    public void require(String fact, MemorySegment told, MemorySegment said) {
        if (told.address() != said.address()) {
            throw refusal("its %s is 0x%x, expected 0x%x".formatted(fact, told.address(), said.address())
                    + "; remedy: pass what the vendor's call returned and was given");
        }
    }

    /** Does nothing if {@code said} is from {@code least} to {@code told}, what the object has. */
    public void requireSize(String size, int said, int least, int told) {
        if (said < least || said > told) {
            throw refusal("its " + size + " is " + told + ", got " + said + "; remedy: set " + size + " to " + told);
        }
    }

    /** Returns why the object is refused; {@code why} ends in the remedy. */
    public IllegalArgumentException refusal(String why) {
        return new IllegalArgumentException(what + ": " + why);
    }
}
