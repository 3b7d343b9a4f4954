package org.panamaverbs.cli.decode.iwarp;

import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.panamaverbs.cli.decode.tcp.Budget;
import org.panamaverbs.iwarp.wire.mpa.Crc32c;

/**
 * What all connections of a capture share.
 *
 * @param assumption what the user says of them
 * @param output gets what is found
 * @param numbers numbers the connections that are iWARP
 * @param budget for what is not yet whole
 * @param crc one for all, since it has a scratch buffer that many connections would make many of
 */
record CaptureContext(Assumption assumption, Consumer<Event> output, IntSupplier numbers, Budget budget, Crc32c crc) {}
