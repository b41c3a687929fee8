// SPDX-License-Identifier: Apache-2.0
/**
 * What the hosts of a cluster agree on: who belongs to it, whose number is whose, which id a handler has. A chain of
 * decisions, each agreed by a majority of the hosts before it; without clocks, threads or connections.
 * Thread: the host agent's. Imports {@code org.grim, org.grim.buffer, org.grim.text}.
 */
package org.grim.network.registry;
