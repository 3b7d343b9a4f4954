/**
 * A provider for DiSNI 2.x: its connection manager, verbs and stateful calls over {@link org.panamaverbs.api.Verbs}.
 *
 * <p>DiSNI's applications meet its types through DiSNI's own; {@link org.panamaverbs.disni.DisniExtensions} has what
 * DiSNI has no call for.
 */
@NullMarked
package org.panamaverbs.disni;

import org.jspecify.annotations.NullMarked;
