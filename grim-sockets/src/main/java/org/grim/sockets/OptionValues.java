// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketOption;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Options of a channel that has no socket of the kernel's: what a fresh TCP channel of the JDK's makes of them. They
 * have no effect but to be read, and to be set on the TCP channel that this one may become.
 * <p>Thread: any.
 */
final class OptionValues
{
    private final Source source;
    private final Map<SocketOption<?>, Object> values = new LinkedHashMap<>();

    OptionValues(final Source source)
    {
        this.source = source;
    }

    /** Refuses what the JDK's channel has not, before anything else is looked at. */
    void requireSupported(final SocketOption<?> name)
    {
        if (!source.supported().contains(name))
        {
            throw new UnsupportedOperationException("'" + name + "' not supported");
        }
    }

    /**
     * Sets one.
     *
     * @throws IOException                   as the JDK's channel.
     * @throws UnsupportedOperationException as the JDK's channel.
     * @throws IllegalArgumentException      as the JDK's channel.
     */
    synchronized <T> void set(final SocketOption<T> name, final T value) throws IOException
    {
        values.put(name, source.normalise(name, value));
    }

    /**
     * Reads one.
     *
     * @throws IOException                   as the JDK's channel.
     * @throws UnsupportedOperationException as the JDK's channel.
     */
    @SuppressWarnings("unchecked")
    synchronized <T> T get(final SocketOption<T> name) throws IOException
    {
        final Object value = values.get(name);
        return value != null ? (T)value : source.initial(name);
    }

    /** Sets on a channel of the JDK's what was set here. */
    @SuppressWarnings("unchecked")
    synchronized void applyTo(final SocketChannel channel) throws IOException
    {
        for (final Map.Entry<SocketOption<?>, Object> entry : values.entrySet())
        {
            channel.setOption((SocketOption<Object>)entry.getKey(), entry.getValue());
        }
    }

    /** Two channels of the JDK's that are never connected: one as it was opened, one to set options on. */
    static final class Source
    {
        private final SelectorProvider kernel;
        private SocketChannel fresh;
        private SocketChannel scratch;

        Source(final SelectorProvider kernel)
        {
            this.kernel = kernel;
        }

        synchronized Set<SocketOption<?>> supported()
        {
            try
            {
                open();
                return fresh.supportedOptions();
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        }

        synchronized <T> T initial(final SocketOption<T> name) throws IOException
        {
            open();
            return fresh.getOption(name);
        }

        synchronized <T> T normalise(final SocketOption<T> name, final T value) throws IOException
        {
            open();
            scratch.setOption(name, value);
            return scratch.getOption(name);
        }

        private void open() throws IOException
        {
            if (fresh == null)
            {
                fresh = kernel.openSocketChannel();
                scratch = kernel.openSocketChannel();
            }
        }
    }
}
