/** Binds what an open device counts to a registry of Micrometer, over the api alone. */
@NullMarked
package org.panamaverbs.micrometer;

import org.jspecify.annotations.NullMarked;
