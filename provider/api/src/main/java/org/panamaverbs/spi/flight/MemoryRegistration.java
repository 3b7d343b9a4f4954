package org.panamaverbs.spi.flight;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** {@code verbs.MemoryRegistration}: memory was registered, or could not be. */
@Name("verbs.MemoryRegistration")
@Label("Memory Registration")
@Category("Verbs")
@Description("Memory was registered, or could not be.")
@StackTrace(false)
final class MemoryRegistration extends VerbsEvent {
    @Label("Protection Domain")
    String domain = "";

    @DataAmount(DataAmount.BYTES)
    @Label("Bytes")
    long bytes;

    @Label("Rights")
    String rights = "";

    @Label("Cause")
    String cause = "";
}
