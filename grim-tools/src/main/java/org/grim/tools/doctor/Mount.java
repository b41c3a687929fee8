// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * A mounted file system, as Linux shows it.
 *
 * @param point   where it is mounted.
 * @param type    such as tmpfs.
 * @param options such as noexec.
 */
record Mount(Path point, String type, List<String> options)
{
    /** For each: number, parent, device, root, mount point, options, optional fields, a hyphen, type, source, ... */
    private static final Path TABLE = Path.of("/proc/self/mountinfo");
    private static final String SEPARATOR = " - ";
    private static final int POINT_FIELD = 4;
    private static final int OPTIONS_FIELD = 5;

    /**
     * Finds the file system of a place; a later mount hides those beneath it.
     *
     * @param place that exists, by its real path.
     * @return null if it is not known.
     * @throws IOException if the system refuses.
     */
    static Mount of(final Path place) throws IOException
    {
        Mount found = null;
        for (final String line : Files.isReadable(TABLE) ? Files.readAllLines(TABLE, ISO_8859_1) : List.<String>of())
        {
            final int separator = line.indexOf(SEPARATOR);
            final String[] fields = line.split(" ", -1);
            final Path point = Path.of(fields[POINT_FIELD].replace("\\040", " "));
            if (separator > 0 && place.startsWith(point) &&
                (found == null || point.getNameCount() >= found.point.getNameCount()))
            {
                found = new Mount(point, line.substring(separator + SEPARATOR.length()).split(" ", 2)[0],
                    List.of(fields[OPTIONS_FIELD].split(",", -1)));
            }
        }
        return found;
    }
}
