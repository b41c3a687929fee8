// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.groups;

/**
 * What was measured of an operation of a group.
 *
 * @param operation     measured.
 * @param members       of the group.
 * @param length        bytes of each member.
 * @param grimNs        time of one operation, median of the rounds.
 * @param beside        what it was measured beside: Open MPI's operation of the same name, or one send of GRIM.
 * @param otherNs       time of that, median of the rounds.
 * @param ratio         the first time by the other in adjacent rounds, median; below 1 the operation takes less.
 * @param ratioQuartile  a quarter of the rounds have a smaller ratio.
 * @param ratioQuartile3 a quarter of the rounds have a larger ratio.
 * @param rounds        counted.
 */
public record GroupRow(
    String operation, int members, int length, double grimNs, String beside, double otherNs, double ratio,
    double ratioQuartile, double ratioQuartile3, int rounds)
{
}
