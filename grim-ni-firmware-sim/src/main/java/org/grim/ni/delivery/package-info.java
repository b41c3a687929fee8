// SPDX-License-Identifier: Apache-2.0
/**
 * Reliable delivery between NIs: go-back-N windows, triples, tokens, answers, epochs. State machines without clock,
 * thread or input and output of their own; stepped by the control program. Imports board.
 */
package org.grim.ni.delivery;
