package org.panamaverbs.sockets.rules;

/**
 * The decision of {@link SocketRules} for an address.
 *
 * @param use whether to use RDMA
 * @param why the rule that decides, with its place, for people
 */
public record Verdict(RdmaUse use, String why) {}
