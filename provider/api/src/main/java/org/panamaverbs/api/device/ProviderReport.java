package org.panamaverbs.api.device;

/**
 * A provider and its availability on this machine.
 *
 * @param name the name of the provider
 * @param priority higher is tried first
 * @param availability whether it is usable
 */
public record ProviderReport(String name, int priority, Availability availability) {}
