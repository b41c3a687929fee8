// SPDX-License-Identifier: Apache-2.0
/**
 * Agreement of the hosts of a cluster: members, owners of numbers, ids of handlers. A chain of decisions, each agreed
 * by a majority of the hosts before it; without clocks, threads or connections. Thread: the host agent's. Imports
 * {@code org.grim, org.grim.buffer, org.grim.text}.
 */
package org.grim.network.registry;
