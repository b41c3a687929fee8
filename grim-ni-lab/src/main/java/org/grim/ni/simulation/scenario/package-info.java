// SPDX-License-Identifier: Apache-2.0
/**
 * What a run shall be, as its seed decides: settings, what hosts send, what happens to boards, hosts and links, and the
 * situations that many runs must reach. The simulation's thread. Imports the fabric's faults, and nothing that runs.
 */
package org.grim.ni.simulation.scenario;
