// SPDX-License-Identifier: Apache-2.0
/**
 * Hardware under a control program: SRAM, DMA engines, wire, host memory, timer, interrupt line. Stepped by one thread.
 * Imports {@code org.grim}, core's buffers and board layout.
 */
package org.grim.ni.board;
