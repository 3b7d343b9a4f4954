package org.panamaverbs.sockets.rules;

/**
 * What {@link SocketRules} say of one address.
 *
 * @param use what is to be done
 * @param why the rule that says so, with its place, for people
 */
public record Verdict(RdmaUse use, String why) {}
