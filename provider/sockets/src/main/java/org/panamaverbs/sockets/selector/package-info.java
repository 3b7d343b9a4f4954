/** The selector: keys of our channels and of the JDK's, and one wait over both. Known to who opens it. */
@NullMarked
package org.panamaverbs.sockets.selector;

import org.jspecify.annotations.NullMarked;
