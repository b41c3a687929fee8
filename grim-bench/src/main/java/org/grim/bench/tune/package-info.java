// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code tune}: how fast payloads come into the memory of a board of its own by each mechanism, the plan
 * made from that, and a plot. Main thread. Imports the driver, {@code org.grim.bench.nodes}, {@code report} and
 * {@code compare}, and of the tools processes.
 */
package org.grim.bench.tune;
