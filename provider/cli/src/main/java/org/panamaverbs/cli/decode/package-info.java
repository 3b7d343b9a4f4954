/** {@code verbs decode}: prints the iWARP in a capture. */
@NullMarked
package org.panamaverbs.cli.decode;

import org.jspecify.annotations.NullMarked;
