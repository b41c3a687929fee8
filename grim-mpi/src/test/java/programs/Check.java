// SPDX-License-Identifier: Apache-2.0
package programs;

import java.lang.reflect.Array;
import java.util.Objects;

/** Checks of programs: a difference ends the process with an exception. */
final class Check
{
    private Check()
    {
    }

    static void same(final Object expected, final Object found)
    {
        if (expected != null && found != null && expected.getClass().isArray() && found.getClass().isArray())
        {
            same(Array.getLength(expected), Array.getLength(found));
            for (int i = 0; i < Array.getLength(expected); i++)
            {
                same(Array.get(expected, i), Array.get(found, i));
            }
        }
        else if (!Objects.equals(expected, found))
        {
            throw new IllegalStateException("expected " + expected + " but found " + found);
        }
    }

    static void holds(final boolean condition, final String text)
    {
        if (!condition)
        {
            throw new IllegalStateException(text);
        }
    }
}
