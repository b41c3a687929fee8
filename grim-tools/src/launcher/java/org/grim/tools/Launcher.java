// SPDX-License-Identifier: Apache-2.0
package org.grim.tools;

import java.lang.reflect.InvocationTargetException;

/**
 * First class of the executable jars: compiled for Java 8, so that an old JVM says what it lacks in one sentence. The
 * real command line is reached by name, because an old JVM could not even load it.
 */
public final class Launcher
{
    static final int JAVA_MIN = 17;

    private static final String MAIN_CLASS = "org.grim.tools.cli.GrimCommand";

    private Launcher()
    {
    }

    /**
     * Starts the command line.
     *
     * @param args of the command line.
     * @throws ReflectiveOperationException if the jar is incomplete.
     */
    public static void main(final String[] args) throws ReflectiveOperationException
    {
        final String refusal = refusal(System.getProperty("java.specification.version"));
        if (refusal != null)
        {
            System.err.println("grim: " + refusal);
            System.exit(1);
        }
        try
        {
            Class.forName(MAIN_CLASS).getMethod("main", String[].class).invoke(null, (Object)args);
        }
        catch (final InvocationTargetException ex)
        {
            throw new IllegalStateException("the command line failed: " + ex.getCause(), ex.getCause());
        }
    }

    /** Returns why a JVM of this version is unsuitable, or null. Old ones say 1.8, new ones 17. */
    static String refusal(final String specificationVersion)
    {
        final String number = specificationVersion.startsWith("1.") ? specificationVersion.substring(2) :
            specificationVersion;
        return Integer.parseInt(number) < JAVA_MIN ?
            "this JVM is Java " + specificationVersion + ", GRIM needs Java " + JAVA_MIN + " or newer." : null;
    }
}
