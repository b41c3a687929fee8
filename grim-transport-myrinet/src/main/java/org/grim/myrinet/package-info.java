// SPDX-License-Identifier: Apache-2.0
/**
 * The driver shim of a LANai board: maps it, and sends and receives through that mapping alone. Threads as the SPI
 * says. Imports {@code org.grim.board, org.grim.transport} and this module's rooms; never the firmware.
 */
package org.grim.myrinet;
