// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

/**
 * How a driver finds what can run a board: implementations are named to {@link java.util.ServiceLoader}. The driver
 * knows no other way to them.
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
