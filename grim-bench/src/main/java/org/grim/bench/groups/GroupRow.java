// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.groups;

/**
 * What was measured of a collective operation.
 *
 * @param operation     measured.
 * @param members       of the group.
 * @param length        bytes of each member.
 * @param grimNs        time of one operation, median of the rounds.
 * @param openMpiNs     the same of Open MPI.
 * @param ratio         GRIM's time by Open MPI's in adjacent rounds, median; below 1 we take less.
 * @param ratioQuartile  a quarter of the rounds have a smaller ratio.
 * @param ratioQuartile3 a quarter of the rounds have a larger ratio.
 * @param rounds        counted.
 */
public record GroupRow(
    String operation, int members, int length, double grimNs, double openMpiNs, double ratio, double ratioQuartile,
    double ratioQuartile3, int rounds)
{
}
