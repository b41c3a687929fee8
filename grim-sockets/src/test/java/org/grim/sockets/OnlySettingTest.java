// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** TCP must not be taken for allowed where a file may forbid it. */
final class OnlySettingTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldFindTheKeyInWhateverFormAFileMayHaveIt() throws IOException
    {
        assertTrue(isIn("grim.sockets.only = [\"*:*\"]"));
        assertTrue(isIn("grim { sockets { only.0 = nonsense"));
        assertTrue(isIn("include \"common.conf\""));
        assertFalse(isIn("grim.sockets.never = [\"*:80\"]"));
    }

    @Test
    void shouldTakeWhatCannotBeReadTwiceForOneThatHasIt()
    {
        assertTrue(OnlySetting.isInFile("/dev/null"));
        assertFalse(OnlySetting.isInFile(directory.resolve("missing").toString()));
    }

    private boolean isIn(final String text) throws IOException
    {
        return OnlySetting.isInFile(Files.writeString(directory.resolve("grim.conf"), text).toString());
    }
}
