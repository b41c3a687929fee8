// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.BooleanSupplier;

import org.grim.GrimException;
import org.grim.buffer.MappedFile;

import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says what went wrong in one sentence on standard error, and the rest only to those who ask. */
final class ErrorSentence implements IParameterExceptionHandler, IExecutionExceptionHandler
{
    private final BooleanSupplier hasStackTrace;

    ErrorSentence(final BooleanSupplier hasStackTrace)
    {
        this.hasStackTrace = hasStackTrace;
    }

    @Override
    public int handleParseException(final ParameterException ex, final String[] args)
    {
        print(ex.getCommandLine().getErr(), ex, usageSentence(ex));
        return CommandLine.ExitCode.USAGE;
    }

    /** Returns the text of a wrong usage; for an unknown command or option with those of similar names. */
    private static String usageSentence(final ParameterException ex)
    {
        final CommandLine line = ex.getCommandLine();
        if (!(ex instanceof final UnmatchedArgumentException unmatched))
        {
            return ex.getMessage();
        }
        final List<String> similar = unmatched.getSuggestions();
        final String question = similar.isEmpty() ? "" : "did you mean " + String.join(" or ", similar) + "? ";
        if (unmatched.isUnknownOption() || line.getSubcommands().isEmpty())
        {
            return ex.getMessage() + (question.isEmpty() ? "" : "; " + question.trim());
        }
        return "command=" + unmatched.getUnmatched().get(0) + " is unknown; " + question + "./" +
            line.getCommandSpec().qualifiedName() + " --help lists all commands";
    }

    @Override
    public int handleExecutionException(final Exception ex, final CommandLine commandLine, final ParseResult parsed)
    {
        print(commandLine.getErr(), ex, sentence(ex));
        return CommandLine.ExitCode.SOFTWARE;
    }

    /** Returns the text of an error that the user can correct; otherwise says that it is GRIM's fault. */
    static String sentence(final Exception ex)
    {
        if (ex instanceof UncheckedIOException)
        {
            return ex.getMessage();
        }
        if (ex instanceof final IOException inputOutput)
        {
            return MappedFile.describe(inputOutput);
        }
        if (ex instanceof GrimException || ex instanceof IllegalArgumentException)
        {
            return ex.getMessage();
        }
        return "internal error: " + ex + " (--stacktrace says where)";
    }

    private void print(final PrintWriter error, final Exception ex, final String sentence)
    {
        error.println("grim: " + sentence.replaceAll("\\s*\\R\\s*", " "));
        if (hasStackTrace.getAsBoolean())
        {
            ex.printStackTrace(error);
        }
        error.flush();
    }
}
