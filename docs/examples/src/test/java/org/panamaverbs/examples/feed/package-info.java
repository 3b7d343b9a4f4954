/** The parts of the feed that need no device with multicast. */
@NullMarked
package org.panamaverbs.examples.feed;

import org.jspecify.annotations.NullMarked;
