package org.panamaverbs.bench.result;

import java.util.List;

/**
 * The answers to one question.
 *
 * @param title the question
 * @param hint what is to be known of all rows, in one line of Markdown; may be empty
 * @param results in the order to show
 */
public record Table(String title, String hint, List<Result> results) {}
