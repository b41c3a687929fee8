// SPDX-License-Identifier: Apache-2.0
/**
 * Layout that a host and the firmware of an NI board share: tables of registers and the layout of SRAM. Big endian.
 * Each class says which thread runs it; imports buffers, the message format, the transport SPI and value types.
 */
package org.grim.board;
