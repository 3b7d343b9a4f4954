/** Which kind of transport a connection or a listener gets: the only place that knows them all. */
@NullMarked
package org.panamaverbs.iwarp.engine.transport.factory;

import org.jspecify.annotations.NullMarked;
