package org.panamaverbs.iwarp.net;

/**
 * How TCP finds out that an idle peer is gone (RFC 9293 §3.8.4). Where the system does not let the times be set, its
 * own apply.
 *
 * @param enabled whether it does
 * @param idleSeconds after how long a silence it asks, from 1
 * @param intervalSeconds how often it asks, from 1
 * @param count how many times it asks, from 1
 */
public record Keepalive(boolean enabled, int idleSeconds, int intervalSeconds, int count) {}
