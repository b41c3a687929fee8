// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Hints: values by keys, in the order in which the keys were set.
 * <p>Thread: any, one at a time.
 */
public final class Info implements Freeable, Cloneable
{
    static final int KEY_LENGTH_MAX = 36;
    static final int VALUE_LENGTH_MAX = 256;
    static final Info NULL = new Info((Map<String, String>)null);
    /** Hints about the job; filled when it starts. */
    static final Info ENVIRONMENT = new Info();

    private Map<String, String> values;

    private Info(final Map<String, String> values)
    {
        this.values = values;
    }

    /** Describes this process, as Open MPI's {@code MPI_INFO_ENV} does. */
    static void describe(final int size)
    {
        final Map<String, String> values = ENVIRONMENT.values;
        final String[] command = System.getProperty("sun.java.command", "").split(" ", 2);
        values.put("command", command[0]);
        if (command.length > 1)
        {
            values.put("argv", command[1]);
        }
        for (final String key : new String[] {"maxprocs", "soft", "ompi_np"})
        {
            values.put(key, Integer.toString(size));
        }
        values.put("host", host());
        values.put("arch", System.getProperty("os.arch"));
        values.put("wdir", System.getProperty("user.dir"));
        values.put("thread_level", "MPI_THREAD_MULTIPLE");
        values.put("ompi_num_apps", "1");
        values.put("ompi_first_rank", "0");
    }

    private static String host()
    {
        try
        {
            return InetAddress.getLocalHost().getHostName();
        }
        catch (final UnknownHostException ex)
        {
            return "localhost";                 // The host has a name that it cannot resolve.
        }
    }

    // Open MPI

    /** Has no hints. */
    public Info()
    {
        this(new LinkedHashMap<>());
    }

    /**
     * Sets a hint.
     *
     * @param key   its key.
     * @param value its value.
     * @throws MPIException if one of both is too long, or empty.
     */
    public void set(final String key, final String value) throws MPIException
    {
        check(MPI.ERR_INFO_KEY, "key", key, KEY_LENGTH_MAX);
        check(MPI.ERR_INFO_VALUE, "value", value, VALUE_LENGTH_MAX);
        values().put(key, value);
    }

    /**
     * Returns a hint.
     *
     * @param key its key.
     * @return its value; null if there is none.
     * @throws MPIException if the key is too long, or empty.
     */
    public String get(final String key) throws MPIException
    {
        check(MPI.ERR_INFO_KEY, "key", key, KEY_LENGTH_MAX);
        return values().get(key);
    }

    /**
     * Removes a hint.
     *
     * @param key its key.
     * @throws MPIException if there is none.
     */
    public void delete(final String key) throws MPIException
    {
        check(MPI.ERR_INFO_KEY, "key", key, KEY_LENGTH_MAX);
        if (values().remove(key) == null)
        {
            throw new MPIException(MPI.ERR_INFO_NOKEY, "key=" + key + " is not set");
        }
    }

    /** {@return number of hints} */
    public int size() throws MPIException
    {
        return values().size();
    }

    /**
     * Returns a key.
     *
     * @param i number of the hint, from 0.
     * @return its key.
     * @throws MPIException if there are not so many.
     */
    public String getKey(final int i) throws MPIException
    {
        if (i < 0 || i >= size())
        {
            throw new MPIException(MPI.ERR_ARG, "number=" + i + " of a key is outside 0 to " + (size() - 1));
        }
        return new ArrayList<>(values().keySet()).get(i);
    }

    @Override
    public Info clone()
    {
        return new Info(new LinkedHashMap<>(values()));
    }

    @Override
    public void free() throws MPIException
    {
        values();
        values = null;
    }

    /** {@return whether it was freed} */
    public boolean isNull()
    {
        return values == null;
    }

    private Map<String, String> values()
    {
        if (values == null)
        {
            throw new MPIException(MPI.ERR_INFO, "the info object is null");
        }
        return values;
    }

    private static void check(final int errorClass, final String name, final String text, final int lengthMax)
    {
        if (text == null || text.isEmpty() || text.length() > lengthMax)
        {
            throw new MPIException(errorClass, name + " length=" + (text == null ? 0 : text.length()) +
                " is outside 1 to " + lengthMax);
        }
    }
}
