// SPDX-License-Identifier: Apache-2.0
/**
 * Costs of a board's work in virtual time: the figures of the original boards, a processor that spends them, and a host
 * engine with its transfer times. The simulator's thread. Imports {@code org.grim}, board and clock.
 */
package org.grim.ni.timing;
