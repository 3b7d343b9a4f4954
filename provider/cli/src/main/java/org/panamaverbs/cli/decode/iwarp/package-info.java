/** iWARP as captured: MPA frames and FPDUs out of the octets of a connection, and their fields by name. */
@NullMarked
package org.panamaverbs.cli.decode.iwarp;

import org.jspecify.annotations.NullMarked;
