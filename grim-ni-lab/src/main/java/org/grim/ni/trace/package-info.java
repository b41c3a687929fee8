// SPDX-License-Identifier: Apache-2.0
/**
 * Traces of what passes between NIs, as pcap files that {@code docs/grim.lua} explains to Wireshark. Called by the one
 * thread that steps the simulation. Imports the wire format and core's buffers.
 */
package org.grim.ni.trace;
