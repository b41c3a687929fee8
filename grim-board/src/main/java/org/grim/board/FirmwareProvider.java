// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

/**
 * Provider of firmware for boards: a driver finds implementations only by {@link java.util.ServiceLoader}.
 * <p>Thread: any.
 */
public interface FirmwareProvider
{
    /**
     * Starts the firmware of a board.
     *
     * @param site of the board.
     * @return the firmware, to be stepped.
     * @throws org.grim.GrimException if it cannot run; nothing is left behind.
     */
    Firmware start(FirmwareSite site);
}
