// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code pingpong}: rounds of one pair of processes, every payload verified. The measuring thread. Imports
 * the pair harness ({@code compare}), boards and reports.
 */
package org.grim.bench.pingpong;
