// SPDX-License-Identifier: Apache-2.0
/**
 * The machines of a run in virtual time: boards with their firmware, hosts that send and receive, the fabric, and what
 * happens to them. The simulation's thread. Imports scenario, check, firmware and all that a board runs on, core's
 * board.
 */
package org.grim.ni.simulation.cluster;
