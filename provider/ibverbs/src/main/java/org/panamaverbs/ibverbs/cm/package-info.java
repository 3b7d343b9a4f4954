/** librdmacm: its channel, ids and events, and what all connections of a device share. */
@NullMarked
package org.panamaverbs.ibverbs.cm;

import org.jspecify.annotations.NullMarked;
