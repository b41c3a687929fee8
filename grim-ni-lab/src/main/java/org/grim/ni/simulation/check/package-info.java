// SPDX-License-Identifier: Apache-2.0
/**
 * Checks of a run against the promises: ledgers of all messages, reports of NIs, the trace and its hash. They know only
 * the firmware's listener and the content of host memory, so that they do not share the firmware's mistakes. The
 * simulation's thread. Imports the scenario, delivery's listener, the clock, the fabric's tap and the packet trace.
 */
package org.grim.ni.simulation.check;
