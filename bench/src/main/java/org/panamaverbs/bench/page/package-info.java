/**
 * The writers of reports: as Markdown, as a page of HTML with plots, as JSON. They know nothing of what was measured.
 */
@NullMarked
package org.panamaverbs.bench.page;

import org.jspecify.annotations.NullMarked;
