// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.util.Map;
import java.util.ServiceLoader;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code grim}. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 something waits or was found. */
@Command(name = "grim", description = "GRIM: active messages between processes.", mixinStandardHelpOptions = true,
    versionProvider = GrimCommand.Version.class, synopsisSubcommandLabel = "COMMAND",
    subcommands = {BoardCommand.class, DeviceCommand.class, HostCommand.class, ClustersCommand.class,
        NodesCommand.class, StatCommand.class, TopCommand.class, PipelinesCommand.class, WhyCommand.class,
        DoctorCommand.class, PingPongCommand.class, DemoClusterCommand.class, DemoVideoCommand.class, RunCommand.class,
        ReplayCommand.class, HelpCommand.class, CompletionCommand.class, ChildCommand.class},
    footer = {"%nCommands that the script grim builds when they are first asked for:",
        "  example",
        "  poll tune bench report jmh simulate scale model"})
public final class GrimCommand implements Runnable
{
    private static final String LOG_PREFIX = "org.slf4j.simpleLogger.";
    /** Results are on standard output; the log is on the other one, and only says what went wrong. */
    private static final Map<String, String> LOG_SETTINGS = Map.of("logFile", "System.err", "defaultLogLevel", "warn",
        "showThreadName", "false", "showShortLogName", "true");

    @Spec
    private CommandSpec spec;

    @Option(names = "--stacktrace", scope = CommandLine.ScopeType.INHERIT,
        description = "Print where an error came from.")
    private boolean hasStackTrace;

    /** Made by picocli. */
    public GrimCommand()
    {
        // Fields are filled in by picocli.
    }

    /** Runs the command line and ends the JVM with its exit code. */
    public static void main(final String[] args)
    {
        LOG_SETTINGS.forEach((key, value) ->
            System.setProperty(LOG_PREFIX + key, System.getProperty(LOG_PREFIX + key, value)));
        final CommandLine line = commandLine();
        // An argument @FILE of a program that is run is the program's.
        line.setExpandAtFiles(args.length == 0 || !args[0].equals(RunCommand.NAME));
        System.exit(line.execute(args));
    }

    /** {@return the command line, ready to execute; with the project's error reports} */
    public static CommandLine commandLine()
    {
        final GrimCommand command = new GrimCommand();
        final ErrorSentence errors = new ErrorSentence(() -> command.hasStackTrace);
        final CommandLine line = new CommandLine(command);
        ServiceLoader.load(CommandSet.class).forEach(set -> set.commands().forEach(line::addSubcommand));
        // Options behind a main class or a command belong to it.
        line.getSubcommands().get(RunCommand.NAME).setStopAtPositional(true);
        HelpText.arrange(line);
        return line
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setParameterExceptionHandler(errors)
            .setExecutionExceptionHandler(errors);
    }

    @Override
    public void run()
    {
        throw new ParameterException(spec.commandLine(), "a command is missing: see grim --help");
    }

    /** Version of the jar, and of the JVM that runs it. */
    static final class Version implements IVersionProvider
    {
        @Override
        public String[] getVersion()
        {
            final String version = GrimCommand.class.getPackage().getImplementationVersion();
            return new String[] {"grim " + (version == null ? "(not from a jar)" : version), "Java ${java.version}"};
        }
    }
}
