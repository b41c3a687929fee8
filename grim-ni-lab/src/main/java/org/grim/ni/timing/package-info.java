// SPDX-License-Identifier: Apache-2.0
/**
 * What a board's work costs in virtual time: the figures of the original boards, a processor that spends them, and a
 * host engine that takes its time. The simulator's thread. Imports {@code org.grim}, board and clock.
 */
package org.grim.ni.timing;
