// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code simulate}: many seeds of a simulated cluster, side by side, and what they found. One simulation
 * per thread, nothing shared but the count of what is done. Imports
 * {@code org.grim.ni.simulation, org.grim.ni.simulation.scenario, org.grim.tools.report}.
 */
package org.grim.ni.lab.campaign;
