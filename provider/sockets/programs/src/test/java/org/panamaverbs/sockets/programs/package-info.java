/** Programs of others that run over the sockets, unmodified, in processes of their own. */
@NullMarked
package org.panamaverbs.sockets.programs;

import org.jspecify.annotations.NullMarked;
