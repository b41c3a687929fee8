// SPDX-License-Identifier: Apache-2.0
/**
 * What a run did, held against the promises: books of all messages, what NIs say of themselves, the trace and its hash.
 * It knows nothing of the firmware but its listener and what stands in host memory, or it would share its mistakes. The
 * simulation's thread. Imports the scenario, delivery's listener, the clock, the fabric's tap and the packet trace.
 */
package org.grim.ni.simulation.check;
