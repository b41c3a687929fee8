// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A process, distinguished from later ones of its number: Linux shows when it began, and the process namespace that
 * numbers it. Other systems show neither, and containers number their processes each by itself; then nothing is known
 * of it.
 *
 * @param number    of the process.
 * @param start     when it began, as {@code /proc} has it; 0 if unknown.
 * @param namespace inode of its process namespace; 0 if unknown.
 */
record ProcessIdentity(long number, long start, long namespace)
{
    private static final Path PROCESSES = Path.of("/proc");
    private static final String NAME_END = ") ";
    /** Fields of {@code /proc/N/stat} behind the name, which may itself contain anything. */
    private static final int STATE_FIELD = 0;
    private static final int START_FIELD = 19;
    private static final String ZOMBIE = "Z";
    private static final String DEAD = "X";

    private static final ProcessIdentity OWN = read();

    /** {@return this process} */
    static ProcessIdentity own()
    {
        return OWN;
    }

    /** {@return a process of which only its number is known} */
    static ProcessIdentity ofNumber(final long number)
    {
        return new ProcessIdentity(number, 0, 0);
    }

    /** Whether it is another process than this one, and the system shows that it exists. */
    boolean isOtherThatExists()
    {
        if (start == 0 || namespace == 0 || namespace != OWN.namespace || number == OWN.number)
        {
            return false;
        }
        try
        {
            final String[] fields = fields(Long.toString(number));
            return Long.parseLong(fields[START_FIELD]) == start && !ZOMBIE.equals(fields[STATE_FIELD]) &&
                !DEAD.equals(fields[STATE_FIELD]);
        }
        catch (final NoSuchFileException ex)
        {
            return false;
        }
        catch (final IOException ex)
        {
            return true;                // It ends at this moment, or there is no descriptor: the next look shows it.
        }
    }

    private static ProcessIdentity read()
    {
        final long number = ProcessHandle.current().pid();
        try
        {
            final String space = Files.readSymbolicLink(PROCESSES.resolve("self/ns/pid")).toString();
            return new ProcessIdentity(number, Long.parseLong(fields("self")[START_FIELD]),
                Long.parseLong(space.replaceAll("\\D", "")));
        }
        catch (final IOException | RuntimeException ex)
        {
            return ofNumber(number);    // Not Linux, or hidden: others ask for the lock alone.
        }
    }

    private static String[] fields(final String process) throws IOException
    {
        final String text = Files.readString(PROCESSES.resolve(process).resolve("stat"));
        return text.substring(text.lastIndexOf(NAME_END) + NAME_END.length()).split(" ");
    }
}
