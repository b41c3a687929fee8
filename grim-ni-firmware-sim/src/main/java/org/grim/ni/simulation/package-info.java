// SPDX-License-Identifier: Apache-2.0
/**
 * The simulator of a cluster of NIs: one seed, one thread, virtual time, faults, and checkers that know nothing of the
 * firmware but what it reports and what stands in host memory. Imports everything of the NI, and core's board.
 */
package org.grim.ni.simulation;
