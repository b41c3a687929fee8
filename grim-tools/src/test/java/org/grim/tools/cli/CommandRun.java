// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

import picocli.CommandLine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Runs commands in this process, and keeps what they print. */
public abstract class CommandRun
{
    protected final StringWriter output = new StringWriter();
    protected final StringWriter error = new StringWriter();

    /** The exit code. */
    protected final int execute(final String... args)
    {
        final CommandLine commandLine = GrimCommand.commandLine();
        commandLine.setOut(new PrintWriter(output));
        commandLine.setErr(new PrintWriter(error));
        return commandLine.execute(args);
    }

    /** One sentence that says what is wrong, and nothing else. */
    protected final void assertRefused(final int exitCode, final String part, final String... args)
    {
        error.getBuffer().setLength(0);

        assertEquals(exitCode, execute(args), error::toString);

        final String text = error.toString();
        assertEquals(1, text.lines().count(), text);
        assertTrue(text.startsWith("grim: ") && text.contains(part), text);
    }
}
