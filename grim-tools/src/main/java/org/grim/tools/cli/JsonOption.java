// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

import org.grim.tools.report.Json;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Mixin of commands that print a text and can write JSON beside it.
 * <p>Thread: main.
 */
public final class JsonOption
{
    private static final String STANDARD_OUTPUT = "-";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--json", paramLabel = "FILE", arity = "0..1", fallbackValue = STANDARD_OUTPUT,
        description = "Also write JSON; without a name, or with -, to standard output, where nothing else appears.")
    private String file;

    /** Made by picocli. */
    public JsonOption()
    {
        // Fields are filled in by picocli.
    }

    /** {@return whether JSON was asked for; true with or without a file name} */
    public boolean isGiven()
    {
        return file != null;
    }

    /** {@return where text goes; standard error if standard output is for programs that read JSON} */
    public PrintWriter text()
    {
        return STANDARD_OUTPUT.equals(file) ? spec.commandLine().getErr() : spec.commandLine().getOut();
    }

    /**
     * Prints the text, and writes the JSON if that was asked for.
     *
     * @param text   for people.
     * @param report for programs: a record, a map, or a list of those.
     * @throws IOException if the file cannot be written.
     */
    public void print(final Object text, final Object report) throws IOException
    {
        final PrintWriter writer = text();
        writer.print(text);
        writer.flush();
        if (STANDARD_OUTPUT.equals(file))
        {
            spec.commandLine().getOut().print(Json.text(report));
            spec.commandLine().getOut().flush();
        }
        else if (file != null)
        {
            Files.writeString(Path.of(file), Json.text(report));
        }
    }
}
