// SPDX-License-Identifier: Apache-2.0
/**
 * Multicast along trees of NIs: who forwards to whom, tickets, and the delivery that hands a message to local
 * subscribers and recycles it for the NI's children. The board's stepper. Imports the delivery to hosts, events and the
 * board's layout.
 */
package org.grim.ni.multicast;
