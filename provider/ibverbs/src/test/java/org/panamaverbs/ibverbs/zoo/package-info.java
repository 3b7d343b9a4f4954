/** The conformance suite over the zoo: adapters as their drivers show them, within the process. */
@NullMarked
package org.panamaverbs.ibverbs.zoo;

import org.jspecify.annotations.NullMarked;
