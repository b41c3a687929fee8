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
    private TransportChoice()
    {
    }

    /**
     * Those that the configuration names, in its order; if it names none, all that need nothing to be asked for.
     *
     * @throws GrimException if one is not on the class path.
     */
    static List<TransportProvider> of(final NodeConfig config)
    {
        final Map<String, TransportProvider> known = new TreeMap<>();
        for (final TransportProvider provider :
            ServiceLoader.load(TransportProvider.class, TransportChoice.class.getClassLoader()))
        {
            known.put(provider.name(), provider);
        }
        if (config.transports().isEmpty())
        {
            return known.values().stream().filter(TransportProvider::isDefault).toList();
        }
        final List<TransportProvider> chosen = new ArrayList<>();
        for (final String name : config.transports())
        {
            final TransportProvider provider = known.get(name);
            if (provider == null)
            {
                throw new GrimException(UNAVAILABLE,
                    "transport=" + SafeText.shorten(name) + " is unknown: known=" + known.keySet() +
                    " (grim.transports)");
            }
            chosen.add(provider);
        }
        return chosen;
    }
}
