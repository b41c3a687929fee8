// SPDX-License-Identifier: Apache-2.0
/**
 * What one process is measured with: pairs of nodes that one thread polls, and queues that stay silent. The measuring
 * thread. Imports the public API, queues of core, the driver, and of the tools boards, processes and reports.
 */
package org.grim.bench.nodes;
