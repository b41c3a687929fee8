// SPDX-License-Identifier: Apache-2.0
/**
 * Memory that a host shares with a board: the board's SRAM, the process's DMA region, what is registered in it, and the
 * answers to the board's translation requests. Set-up and control plane; classes say which thread may call them.
 * Imports {@code org.grim.board, org.grim.buffer, org.grim.transport, org.grim.myrinet.posix}.
 */
package org.grim.myrinet.memory;
