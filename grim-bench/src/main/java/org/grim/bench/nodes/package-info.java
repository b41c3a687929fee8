// SPDX-License-Identifier: Apache-2.0
/**
 * Subjects of measurements in one process: pairs of nodes that one thread polls, boards, and queues that stay silent.
 * The measuring thread. Imports the public API, queues of core, driver and firmware, and of the tools boards, processes
 * and reports.
 */
package org.grim.bench.nodes;
