// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.groups;

/**
 * Times of one operation of a group in ns, medians of the rounds, and quartiles of the ratio in adjacent rounds: below
 * 1 GRIM's takes less. It stands beside Open MPI's operation of the same name, or beside one send of GRIM. Its
 * components are the JSON.
 */
public record GroupRow(
    String operation, int members, int length, double grimNs, String beside, double otherNs, double ratio,
    double ratioQuartile, double ratioQuartile3, int rounds)
{
}
