/** The connection manager: librdmacm's ids and events behind connections, requests and listeners. */
@NullMarked
package org.panamaverbs.ibverbs.cm;

import org.jspecify.annotations.NullMarked;
