// SPDX-License-Identifier: Apache-2.0
/**
 * Fabrics that connect NIs: a direct one in real time, switches and links in virtual time with faults on them, and the
 * envelope for wires that lose packets. One thread per fabric. Imports board, clock, trace, and core's buffers and
 * wire.
 */
package org.grim.ni.fabric;
