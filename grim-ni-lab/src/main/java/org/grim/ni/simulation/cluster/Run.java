// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.cluster;

import org.grim.ni.clock.VirtualClock;
import org.grim.ni.simulation.check.Canary;
import org.grim.ni.simulation.check.DeliveryLedger;
import org.grim.ni.simulation.check.Trace;
import org.grim.ni.simulation.scenario.SimulationParameters;

/**
 * Objects that all parts of one run share.
 *
 * @param parameters of the run.
 * @param clock      of virtual time.
 * @param ledger     of all messages.
 * @param trace      of all events.
 * @param canary     that makes something wrong on purpose, or nothing.
 * @param layout     of each context's memory.
 * @param workload   of all hosts.
 */
record Run(SimulationParameters parameters, VirtualClock clock, DeliveryLedger ledger, Trace trace, Canary canary,
    HostLayout layout, Workload workload)
{
}
