// SPDX-License-Identifier: Apache-2.0
/**
 * The original system end to end in virtual time: two hosts, injection, two boards, wire, delivery, composed of the
 * table of costs in the order in which the original's control program worked. One thread. Imports clock and timing.
 */
package org.grim.ni.model;
