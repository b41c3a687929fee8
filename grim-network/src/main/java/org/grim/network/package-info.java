// SPDX-License-Identifier: Apache-2.0
/**
 * Connects the hosts of a cluster: each host's agent holds the host's JGroups channel, copies what other hosts say into
 * the host's directory and what this directory says to other hosts.
 * Thread: the agent's own. Imports {@code org.grim} and its packages {@code buffer, cluster, counters, transport} and
 * {@code text}.
 */
package org.grim.network;
