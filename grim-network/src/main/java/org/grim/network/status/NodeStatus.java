// SPDX-License-Identifier: Apache-2.0
package org.grim.network.status;

import java.util.List;

import org.grim.counters.CountersView.DistinctError;
import org.grim.counters.CountersView.Reading;

/**
 * Report of a host's agent about one of its nodes, to tools of other hosts.
 *
 * @param number         of the node.
 * @param incarnation    of the node.
 * @param heartbeatAgeMs since the node's loop did its housekeeping; -1 if it never did.
 * @param readings       of its counters; empty if they cannot be read.
 * @param errors         distinct ones, the first line of each; empty if they cannot be read.
 * @param missing        why something cannot be read; empty if all was.
 */
public record NodeStatus(
    int number, int incarnation, long heartbeatAgeMs, List<Reading> readings, List<DistinctError> errors,
    String missing)
{
}
