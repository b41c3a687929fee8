// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.run;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The command line of a rank: environment by {@code env}, and the settings of its node as flags of the JVM. These stand
 * before a class on the command line; for any other command in a variable that the program {@code java} reads.
 * <p>Thread: any; immutable.
 */
record RankCommand(RunRequest request, Map<String, String> environment, Properties properties, String id)
{
    static final String OPTIONS_VARIABLE = "JDK_JAVA_OPTIONS";

    private static final String CONFIG_VARIABLE = "GRIM_CONFIG";
    private static final String TRANSPORTS = "grim.transports";
    private static final String NODES_MAX = "grim.cluster.nodes-max";
    private static final int NODES_DEFAULT = 64;
    private static final String DRIVER = "org.grim.aeron.DriverProcess";
    private static final String DRIVER_DIRECTORY = "grim.aeron.directory";
    private static final String PROVIDERS = "META-INF/services/org.slf4j.spi.SLF4JServiceProvider";

    static String flag(final String key, final Object value)
    {
        return "-D" + key + "=" + value;
    }

    /** Returns the settings that all nodes of a host have; those of this process first. */
    List<String> settings(final String directory)
    {
        final List<String> flags = new ArrayList<>(List.of("--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED"));
        properties.stringPropertyNames().stream().filter(name -> name.startsWith("grim.")).sorted()
            .forEach(name -> flags.add(flag(name, properties.getProperty(name))));
        flags.add(flag("grim.cluster.name", "run"));
        flags.add(flag("grim.cluster.directory", directory));
        if (request.count() > NODES_DEFAULT && !isSet(NODES_MAX))
        {
            flags.add(flag(NODES_MAX, request.count()));
        }
        return flags;
    }

    /** Returns the settings of nodes of several hosts: the key, and transports, unless the user set others. */
    List<String> network(final String directory)
    {
        final List<String> flags = new ArrayList<>(List.of(flag("grim.network.key-file", directory + "/key")));
        if (!isSet(TRANSPORTS))
        {
            flags.addAll(List.of(flag(TRANSPORTS + ".0", "shmem"), flag(TRANSPORTS + ".1", "aeron")));
        }
        return flags;
    }

    /**
     * Returns whether a process of its own holds the media driver of each host, where ranks have one. Behind {@code --}
     * a host may have no Java, or none at this place.
     */
    boolean usesDriver()
    {
        final List<String> transports = flagsOf(TRANSPORTS);
        return request.program().isClass() && !isSet(DRIVER_DIRECTORY) &&
            (transports.isEmpty() || transports.stream().anyMatch(flag -> flag.endsWith("=aeron")));
    }

    /** Returns the words of the process that holds the media driver, which has the settings of a host's nodes. */
    List<String> driver(final List<String> settings)
    {
        final List<String> words = new ArrayList<>(List.of("env", "GRIM_RUN_ID=" + id));
        addConfiguration(words);
        words.addAll(List.of(java(), "-XX:+UseSerialGC"));
        request.program().flags().stream().filter(flag -> flag.startsWith("-Dgrim.")).forEach(words::add);
        words.addAll(settings);
        words.addAll(List.of("-cp", classPath(), DRIVER));
        return words;
    }

    private boolean isSet(final String key)
    {
        return !flagsOf(key).isEmpty();
    }

    /** Returns what this process or the user has set, of keys that begin so, as flags. */
    private List<String> flagsOf(final String key)
    {
        return Stream.concat(
            properties.stringPropertyNames().stream().map(name -> flag(name, properties.getProperty(name))),
            request.program().flags().stream()).filter(flag -> flag.startsWith("-D" + key)).toList();
    }

    /** Returns the words of the command, with flags of the JVM and variables of the environment. */
    List<String> words(final List<String> settings, final String... variables)
    {
        final List<String> words = new ArrayList<>(
            List.of("env", "GRIM_RUN_ID=" + id, "GRIM_RUN_SIZE=" + request.count()));
        words.addAll(List.of(variables));
        addConfiguration(words);
        final RunRequest.Program program = request.program();
        if (program.isClass())
        {
            words.add(java());
            words.addAll(loggerFlags(program));
            words.addAll(program.flags());
            words.addAll(settings);
            words.addAll(List.of("-cp", classPath()));
        }
        else
        {
            final String before = environment.getOrDefault(OPTIONS_VARIABLE, "");
            words.add(OPTIONS_VARIABLE + "=" + (before.isEmpty() ? "" : before + " ") +
                settings.stream().map(RankCommand::quoteOption).collect(Collectors.joining(" ")));
        }
        words.addAll(program.words());
        return words;
    }

    /**
     * Returns the flags by which SLF4J takes the application's binding, if its class path has one, does not look for
     * others, as GRIM's jar has one, too, and does not say so.
     */
    private static List<String> loggerFlags(final RunRequest.Program program)
    {
        final String providers = ClassPath.of(program.classPath()).text(PROVIDERS);
        return providers == null ? List.of() : providers.lines().map(line -> line.split("#", -1)[0].trim())
            .filter(line -> !line.isEmpty()).limit(1)
            .flatMap(line -> Stream.of("-Dslf4j.provider=" + line, "-Dslf4j.internal.verbosity=WARN")).toList();
    }

    private void addConfiguration(final List<String> words)
    {
        final String config = environment.getOrDefault(CONFIG_VARIABLE, "");
        if (!config.isEmpty())
        {
            words.add(CONFIG_VARIABLE + "=" + Path.of(config).toAbsolutePath());
        }
    }

    private static String java()
    {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Returns what the user names, which may have keys of its own, and the jar that has GRIM with all transports. */
    private String classPath()
    {
        final String own = properties.getProperty("java.class.path");
        return request.program().classPath() + File.pathSeparator + Arrays.stream(own.split(File.pathSeparator, -1))
            .map(path -> Path.of(path).toAbsolutePath().toString()).collect(Collectors.joining(File.pathSeparator));
    }

    /** The program {@code java} splits the variable at spaces outside quotes, and knows no escapes. */
    static String quoteOption(final String option)
    {
        final String quote = option.contains("\"") ? "'" : "\"";
        return option.matches("[^\\s\"']*") ? option : quote + option + quote;
    }
}
