package org.panamaverbs.bench.machine;

/**
 * What the machine did beside a measurement.
 *
 * @param average the load average over the last minute, at its end
 * @param others processor time of other processes, in percent of one processor
 * @param busiest the name of the one that took most, or empty if none took 1 percent
 * @param steal time that the hypervisor kept for itself, in percent of all processors
 */
public record Load(double average, double others, String busiest, double steal) {}
