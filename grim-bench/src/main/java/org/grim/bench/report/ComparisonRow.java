// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.report;

/**
 * One figure of {@code grim bench shmem}; its components are the JSON.
 *
 * @param benchmark   as in the options.
 * @param peer        who.
 * @param size        payload bytes; for poll, silent queues.
 * @param mode        ignore or read; of cost checks-on or checks-off.
 * @param unit        of the next three.
 * @param median      over rounds.
 * @param min         over rounds.
 * @param max         over rounds.
 * @param rounds      counted.
 * @param ratioToGrim median over rounds of GRIM's figure divided by this one's of the same round; null without GRIM.
 */
public record ComparisonRow(
    String benchmark, String peer, int size, String mode, String unit, double median, double min, double max,
    int rounds, Double ratioToGrim)
{
}
