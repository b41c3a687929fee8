// SPDX-License-Identifier: Apache-2.0
/**
 * The wire between boards of several processes of one host: a ring of shared memory for each ordered pair of boards.
 * Runs on the board's stepper. Knows the transport context of its node, and nothing of the firmware.
 */
package org.grim.ni.wire;
