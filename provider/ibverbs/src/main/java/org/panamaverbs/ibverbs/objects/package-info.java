/** The verbs objects: context, protection domain, memory, queues. */
@NullMarked
package org.panamaverbs.ibverbs.objects;

import org.jspecify.annotations.NullMarked;
