// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.group;

import java.nio.file.Path;
import java.util.List;

import org.grim.GrimConfig;
import org.grim.group.GroupContract;
import org.junit.jupiter.api.io.TempDir;

/** Of three members, each with a board, whose multicasts go along trees of network interfaces. */
final class MyrinetTreeGroupTest extends GroupContract
{
    @TempDir
    private Path directory;

    /** A board's channel keeps one order for all destinations. */
    @Override
    protected boolean areDestinationsApart()
    {
        return false;
    }

    @Override
    protected List<GrimConfig> configs()
    {
        return MyrinetGroupTest.configs(directory, true);
    }
}
