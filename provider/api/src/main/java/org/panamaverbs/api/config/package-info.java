/**
 * How configurations are copied, compared and printed. Not exported: the packages with configurations alone know it,
 * and it knows none of them.
 */
@NullMarked
package org.panamaverbs.api.config;

import org.jspecify.annotations.NullMarked;
