// SPDX-License-Identifier: Apache-2.0
/**
 * Plan of a run, drawn from its seed: settings, messages of hosts, disturbances of boards, hosts and links, and the
 * situations that many runs must reach. The simulation's thread. Imports the fabric's faults, and no code that runs.
 */
package org.grim.ni.simulation.scenario;
