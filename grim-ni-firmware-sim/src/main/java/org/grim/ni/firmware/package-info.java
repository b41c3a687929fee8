// SPDX-License-Identifier: Apache-2.0
/**
 * The control program: what an NI's processor runs, as a list of bounded steps. No clock, thread, randomness, log or
 * allocation in steady state. Imports board, delivery, memory.
 */
package org.grim.ni.firmware;
