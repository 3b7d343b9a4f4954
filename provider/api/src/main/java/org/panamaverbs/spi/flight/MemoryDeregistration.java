package org.panamaverbs.spi.flight;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** {@code verbs.MemoryDeregistration}: a registration was closed. */
@Name("verbs.MemoryDeregistration")
@Label("Memory Deregistration")
@Category("Verbs")
@Description("A registration was closed.")
@StackTrace(false)
final class MemoryDeregistration extends VerbsEvent {
    @Label("Protection Domain")
    String domain = "";

    @DataAmount(DataAmount.BYTES)
    @Label("Bytes")
    long bytes;
}
