// SPDX-License-Identifier: Apache-2.0
package org.grim.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class ReadmeExampleTest
{
    private static final int LINE_COUNT_MAX = 20;

    @Test
    void shouldCompileTheProgramInTheReadme(@TempDir final Path classes) throws IOException
    {
        ExampleCompiler.assertCompiles(program(), classes);
    }

    @Test
    void shouldKeepTheProgramInTheReadmeShort() throws IOException
    {
        final long lineCount = program().lines().count();

        assertTrue(lineCount <= LINE_COUNT_MAX, "lines=" + lineCount + " exceeds max=" + LINE_COUNT_MAX);
    }

    @Test
    void shouldCompileTheProgramOfRemoteMemory(@TempDir final Path classes) throws IOException
    {
        final List<String> programs =
            ExampleCompiler.blocks("docs/embedding.md").stream().filter(ExampleCompiler::isProgram).toList();

        assertEquals(1, programs.size());
        ExampleCompiler.assertCompiles(programs.get(0), classes);
    }

    /** The only block of Java in the README. */
    private static String program() throws IOException
    {
        final List<String> blocks = ExampleCompiler.blocks("README.md");
        assertEquals(1, blocks.size(), "blocks of Java in the README");
        return blocks.get(0);
    }
}
