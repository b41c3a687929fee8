// SPDX-License-Identifier: Apache-2.0
/**
 * Boards of the commands: who runs the firmware, and the node that serves a board to other processes. Main threads.
 * Imports {@code org.grim} and {@code org.grim.tools.process}.
 */
package org.grim.tools.boards;
