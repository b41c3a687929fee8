// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.service;

import org.grim.board.Firmware;
import org.grim.board.FirmwareProvider;
import org.grim.board.FirmwareSite;

/** Runs boards in software, on memory that processes of one host share. Any thread. */
@SuppressWarnings("exports")              // The board's layout is open to GRIM's own modules only.
public final class SoftwareBoardProvider implements FirmwareProvider
{
    /** For the service loader. */
    public SoftwareBoardProvider()
    {
        // Nothing to set up.
    }

    @Override
    public Firmware start(final FirmwareSite site)
    {
        return new SoftwareBoard(site);
    }
}
