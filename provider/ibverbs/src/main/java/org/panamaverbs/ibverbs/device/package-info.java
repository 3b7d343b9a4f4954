/** The devices: which there are and why not, what each can do beyond what it says, how it is opened. */
@NullMarked
package org.panamaverbs.ibverbs.device;

import org.jspecify.annotations.NullMarked;
