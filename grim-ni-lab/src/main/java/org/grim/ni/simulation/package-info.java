// SPDX-License-Identifier: Apache-2.0
/**
 * The simulator of a cluster of NIs: one run from its seed to its verdict, planted bugs, and the search for the fewest
 * faults. The rooms behind it: {@code scenario} says what a run shall be, {@code cluster} does it, {@code check} holds
 * it against the promises. One thread a run, virtual time. Imports these three, and the NI's guards and traces.
 */
package org.grim.ni.simulation;
