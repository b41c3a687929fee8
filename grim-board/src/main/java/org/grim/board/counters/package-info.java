// SPDX-License-Identifier: Apache-2.0
/**
 * Counters of a network interface, in a file that tools map: kinds, and the writer's end. The board's stepper writes;
 * anybody reads. Imports {@code org.grim.counters}.
 */
package org.grim.board.counters;
