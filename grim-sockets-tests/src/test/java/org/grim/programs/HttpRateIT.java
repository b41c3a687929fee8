// SPDX-License-Identifier: Apache-2.0
package org.grim.programs;

import java.io.IOException;
import java.nio.file.Path;

import org.grim.death.ShmDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** Requests per second of Netty's HTTP server on connections that are kept, over GRIM and over TCP. */
@Tag("process")
@Tag("long")
@Timeout(300)
final class HttpRateIT
{
    private static final double RATIO_MIN = 0.1;

    private final Path directory = ShmDirectory.create();

    @AfterEach
    void deleteFiles()
    {
        ShmDirectory.delete(directory);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "32"})
    void nettyAnswersOverGrimAndOverTcp(final String connectionCount) throws IOException
    {
        final double median = RatePair.ratio("Netty HTTP keep-alive, connections=" + connectionCount, directory,
            NettyServerMain.class, HttpRateMain.class, connectionCount);

        assertTrue(median > RATIO_MIN, () -> Double.toString(median));
    }
}
