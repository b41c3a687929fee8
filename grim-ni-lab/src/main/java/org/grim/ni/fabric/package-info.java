// SPDX-License-Identifier: Apache-2.0
/**
 * What connects NIs: a direct fabric in real time, switches and links in virtual time with faults on them, and the
 * envelope that a wire needs which loses packets. One thread per fabric. Imports board, clock, trace, and core's
 * buffers and wire.
 */
package org.grim.ni.fabric;
