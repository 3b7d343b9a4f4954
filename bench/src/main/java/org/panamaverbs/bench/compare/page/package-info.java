/** The comparison for people: the table in Markdown, and the page with plots. */
@NullMarked
package org.panamaverbs.bench.compare.page;

import org.jspecify.annotations.NullMarked;
