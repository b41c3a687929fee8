// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.util.Arrays;

/**
 * Objects in messages: serialised by the JDK, one stream for a message. The JDK's filter of the process (property
 * {@code jdk.serialFilter}) decides about classes.
 */
final class Objects
{
    private Objects()
    {
    }

    /** Serialises some objects of an array. */
    static byte[] write(final Object[] objects, final int... indices)
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes))
        {
            out.writeInt(indices.length);
            for (final int index : indices)
            {
                out.writeObject(objects[index]);
            }
        }
        catch (final IOException ex)
        {
            throw new MPIException(MPI.ERR_TYPE, "an object cannot be serialised: " + ex);
        }
        return bytes.toByteArray();
    }

    /** Puts objects of a message into an array; returns how many they are. */
    static int read(final byte[] bytes, final Object[] objects, final int... indices)
    {
        try (ObjectInputStream in = new Input(new ByteArrayInputStream(bytes)))
        {
            final int count = in.readInt();
            if (count > indices.length)
            {
                throw new MPIException(MPI.ERR_TRUNCATE,
                    "objects=" + count + " of the message exceed count=" + indices.length);
            }
            for (int i = 0; i < count; i++)
            {
                objects[indices[i]] = in.readObject();
            }
            return count;
        }
        catch (final IOException | ClassNotFoundException | ArrayStoreException ex)
        {
            throw new MPIException(MPI.ERR_TYPE, "an object of the message cannot be read: " + ex);
        }
    }

    /** Copies objects by serialising them. */
    static Object[] copy(final byte[] bytes, final int count)
    {
        final Object[] objects = new Object[count];
        final int[] indices = new int[count];
        Arrays.setAll(indices, i -> i);
        read(bytes, objects, indices);
        return objects;
    }

    /** Finds classes of the application, also where this library was loaded by another loader. */
    private static final class Input extends ObjectInputStream
    {
        Input(final InputStream in) throws IOException
        {
            super(in);
        }

        @Override
        protected Class<?> resolveClass(final ObjectStreamClass description) throws IOException, ClassNotFoundException
        {
            final ClassLoader loader = Thread.currentThread().getContextClassLoader();
            try
            {
                return Class.forName(description.getName(), false, loader);
            }
            catch (final ClassNotFoundException expected)
            {
                return super.resolveClass(description);     // A primitive type, or known to the caller only.
            }
        }
    }
}
