// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.nio.file.Files;
import java.nio.file.Path;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Values that picocli accepts and a command does not. Any thread; no state. */
public final class OptionCheck
{
    private OptionCheck()
    {
    }

    /**
     * Refuses a number outside a range.
     *
     * @param spec   of the command.
     * @param option its name.
     * @param value  to check; null if the option was not given.
     * @param min    least value.
     * @param max    greatest value.
     * @throws ParameterException if it is outside.
     */
    public static void requireWithin(
        final CommandSpec spec, final String option, final Number value, final Number min, final Number max)
    {
        // Written so that NaN is outside, too.
        if (value != null && !(value.doubleValue() >= min.doubleValue() && value.doubleValue() <= max.doubleValue()))
        {
            throw new ParameterException(spec.commandLine(),
                option + "=" + value + " is outside " + min + " to " + max);
        }
    }

    /**
     * Refuses a file that could not be written, before time is spent on what shall stand in it.
     *
     * @param spec   of the command.
     * @param option its name.
     * @param file   to write.
     * @return the file.
     * @throws ParameterException if it cannot be written.
     */
    public static Path requireWritable(final CommandSpec spec, final String option, final Path file)
    {
        final Path parent = file.toAbsolutePath().getParent();
        if (parent == null || !Files.isDirectory(parent) || !Files.isWritable(parent) || Files.isDirectory(file))
        {
            throw new ParameterException(spec.commandLine(), option + "=" + file +
                " cannot be written: its directory is missing or not writable, or it is a directory itself");
        }
        return file;
    }
}
