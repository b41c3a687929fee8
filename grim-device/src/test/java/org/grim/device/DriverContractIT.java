// SPDX-License-Identifier: Apache-2.0
package org.grim.device;

import org.agrona.CloseHelper;
import org.grim.Grim;
import org.grim.death.PeerJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The devices in a process of their own, which is killed at the end. */
@Tag("process")
@Timeout(600)
final class DriverContractIT extends DriverContract
{
    private PeerJvm process;

    @Override
    void serve(final Hop hop, final Grim clientNode)
    {
        process = new PeerJvm(files().resolve("devices.log"), DriverMain.class, clusters().toString(),
            hop.name(), files().toString());
    }

    @Override
    void end()
    {
        if (process != null)
        {
            process.kill();
        }
    }

    @Override
    void leave()
    {
        CloseHelper.close(process);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NULL")
    void shouldKeepItsPromises(final Hop hop) throws Exception
    {
        serveAll(hop);
        keepsItsPromises();
    }
}
