// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.security.CodeSource;
import java.util.Locale;
import java.util.ServiceConfigurationError;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.grim.GrimException;
import org.grim.text.SafeText;

import static org.grim.GrimException.Reason.UNAVAILABLE;

/**
 * The libraries of GRIM's modules. Which versions of them are on an application's class path is decided by its build.
 * Any thread; no state.
 */
public final class Libraries
{
    private static final int DETAIL_LENGTH_MAX = 200;

    private Libraries()
    {
    }

    /**
     * Runs what calls libraries.
     *
     * @param call to run.
     * @param <T>  type of its result.
     * @return its result.
     * @throws GrimException if a library is missing or of a version that GRIM cannot use: which one, where it was
     *                       found, and what is needed.
     */
    public static <T> T linked(final Supplier<T> call)
    {
        try
        {
            return call.get();
        }
        catch (final LinkageError | ServiceConfigurationError ex)
        {
            final GrimException explained = explanation(ex);
            if (explained == null)
            {
                throw ex;
            }
            throw explained;
        }
    }

    /** Null if it has to do with none of the libraries. */
    private static GrimException explanation(final Error error)
    {
        for (Throwable cause = error; cause != null; cause = cause.getCause())
        {
            final Library library =
                cause instanceof LinkageError && cause.getMessage() != null ? Library.named(cause.getMessage()) : null;
            if (library != null)
            {
                return new GrimException(UNAVAILABLE, library.text() + ": " +
                    SafeText.shorten(cause.getMessage(), DETAIL_LENGTH_MAX), error);
            }
        }
        return null;
    }

    /** Each with the oldest version that has everything that GRIM calls. A test links GRIM's modules against these. */
    private enum Library
    {
        AGRONA("org.agrona.", "org.agrona.DirectBuffer", "2.1.0"),
        CONFIG("com.typesafe.config.", "com.typesafe.config.Config", "1.3.0"),
        SLF4J_API("org.slf4j.", "org.slf4j.Logger", "1.7.36"),
        JGROUPS("org.jgroups.", "org.jgroups.JChannel", "5.4.0.Final"),
        AERON_CLIENT("io.aeron.", "io.aeron.Aeron", "1.51.0"),
        AERON_DRIVER("io.aeron.driver.", "io.aeron.driver.MediaDriver", "1.51.0");

        private final String packages;
        private final String marker;
        private final String needed;

        Library(final String packages, final String marker, final String needed)
        {
            this.packages = packages;
            this.marker = marker;
            this.needed = needed;
        }

        /** The library of the class that was wanted: the last that is named before the parameters of its method. */
        static Library named(final String error)
        {
            final String wanted = error.replace('/', '.').replaceFirst("\\(.*", "");
            Library found = null;
            int position = -1;
            for (final Library each : values())
            {
                final int last = wanted.lastIndexOf(each.packages);
                if (last >= 0 && last >= position)
                {
                    position = last;
                    found = each;
                }
            }
            return found;
        }

        String text()
        {
            final String name = name().toLowerCase(Locale.ROOT).replace('_', '-');
            final String need = "GRIM needs " + name + " " + needed + " or newer";
            try
            {
                final CodeSource source = Class.forName(marker, false, Libraries.class.getClassLoader())
                    .getProtectionDomain().getCodeSource();
                final String place = source == null ? "a place that is not known" : source.getLocation().getPath();
                final Matcher file = Pattern.compile("/" + name + "-([0-9][^/]*)\\.jar$").matcher(place);
                return need + ", and found " + (file.find() ? file.group(1) : "an unknown version") + " in " + place;
            }
            catch (final ClassNotFoundException | LinkageError ex)
            {
                return need + ", which is not on the class path";
            }
        }
    }
}
