// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;

import org.grim.GrimException;
import org.grim.text.SafeText;
import org.grim.transport.TransportProvider;

import static org.grim.GrimException.Reason.UNAVAILABLE;

/** Which of the transports on the class path a node opens. Any thread; no state. */
final class TransportChoice
{
    private static final List<String> OWN = List.of("org.grim.loopback.NullTransportProvider",
        "org.grim.shmem.ShmemTransportProvider", "org.grim.aeron.AeronTransportProvider",
        "org.grim.myrinet.MyrinetTransportProvider");

    private TransportChoice()
    {
    }

    /** All transports on the class path, by name. */
    static Map<String, TransportProvider> known()
    {
        final Map<String, TransportProvider> known = new TreeMap<>();
        Providers.of(TransportProvider.class,
            ServiceLoader.load(TransportProvider.class, TransportChoice.class.getClassLoader()), OWN)
            .forEach(provider -> known.put(provider.name(), provider));
        return known;
    }

    /**
     * Returns the transports that the configuration names, in its order; if it names none, all transports of the
     * default.
     *
     * @throws GrimException if one is not on the class path, or if there would be none.
     */
    static List<TransportProvider> of(final NodeConfig config)
    {
        return of(config.transports(), known());
    }

    /** Returns the named ones of the known transports; without names those that are opened by default. */
    static List<TransportProvider> of(final List<String> names, final Map<String, TransportProvider> known)
    {
        final List<TransportProvider> chosen = names.isEmpty() ?
            known.values().stream().filter(TransportProvider::isDefault).toList() : named(names, known);
        if (chosen.isEmpty())
        {
            throw new GrimException(UNAVAILABLE, "there is no transport to open: known=" + known.keySet() +
                ", none of which is opened unless it is named (grim.transports)");
        }
        return chosen;
    }

    private static List<TransportProvider> named(final List<String> names, final Map<String, TransportProvider> known)
    {
        final List<TransportProvider> chosen = new ArrayList<>();
        for (final String name : names)
        {
            final TransportProvider provider = known.get(name);
            if (provider == null)
            {
                throw new GrimException(UNAVAILABLE,
                    "transport=" + SafeText.shorten(name) + " is unknown: known=" + known.keySet() +
                    " (grim.transports); it is on the class path if its jar is, or if a jar of all names it in " +
                    "META-INF/services/" + TransportProvider.class.getName());
            }
            chosen.add(provider);
        }
        return chosen;
    }
}
