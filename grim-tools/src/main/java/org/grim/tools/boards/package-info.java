// SPDX-License-Identifier: Apache-2.0
/**
 * Boards of the commands: who runs the firmware, the node that serves a board to other processes, and the board that
 * only takes payloads. Main threads, and one for that board's firmware. Imports {@code org.grim}, the firmware,
 * {@code org.grim.myrinet} and {@code org.grim.tools.process}.
 */
package org.grim.tools.boards;
