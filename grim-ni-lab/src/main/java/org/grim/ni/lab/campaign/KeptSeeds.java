// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.campaign;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.grim.ni.simulation.scenario.SimulationParameters;

/** Runs that failed once, from a file in the jar: a line each, with all parameters, because drawing them may change. */
final class KeptSeeds
{
    static final String FILE = "kept-seeds.txt";

    private static final String COMMENT = "#";

    private KeptSeeds()
    {
    }

    static List<SimulationParameters> load()
    {
        try (InputStream stream = KeptSeeds.class.getResourceAsStream(FILE))
        {
            if (stream == null)
            {
                throw new IllegalStateException("the jar lacks " + FILE);
            }
            return parse(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(FILE + " in the jar cannot be read: " + ex.getMessage(), ex);
        }
    }

    static List<SimulationParameters> parse(final String text)
    {
        final List<SimulationParameters> kept = new ArrayList<>();
        text.lines().map(String::strip).filter(line -> !line.isEmpty() && !line.startsWith(COMMENT))
            .forEach(line -> kept.add(SimulationParameters.parse(List.of(line.split("\\s+")))));
        return kept;
    }
}
