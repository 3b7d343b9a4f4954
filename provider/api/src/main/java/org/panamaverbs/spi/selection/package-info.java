/** How a provider is found and chosen. {@link org.panamaverbs.api.Verbs#open()} alone knows it. */
@NullMarked
package org.panamaverbs.spi.selection;

import org.jspecify.annotations.NullMarked;
