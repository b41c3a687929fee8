// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.report;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;

/** Reports as JSON: records become objects, their components members. Any thread. */
public final class Json
{
    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private Json()
    {
    }

    /**
     * The text of a report.
     *
     * @param report a record.
     * @return JSON with a line end.
     * @throws IOException if the report holds what JSON cannot.
     */
    public static String text(final Object report) throws IOException
    {
        return MAPPER.writeValueAsString(report) + System.lineSeparator();
    }

    /**
     * An object, or a row of a table.
     *
     * @param members names and values in turn; those whose value is null are left out.
     * @return a map that keeps their order, and may be changed.
     */
    public static Map<String, Object> object(final Object... members)
    {
        final Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < members.length; i += 2)
        {
            if (members[i + 1] != null)
            {
                object.put(members[i].toString(), members[i + 1]);
            }
        }
        return object;
    }

    /**
     * Rows of a table.
     *
     * @param records one per row.
     * @return their components by name.
     */
    public static List<Map<String, Object>> rows(final List<?> records)
    {
        return MAPPER.convertValue(records, new TypeReference<>()
        {
        });
    }

    /**
     * A constant as output has it.
     *
     * @param constant of an enumeration.
     * @return lower case with hyphens.
     */
    public static String label(final Enum<?> constant)
    {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
