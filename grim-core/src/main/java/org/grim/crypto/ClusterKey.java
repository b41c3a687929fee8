// SPDX-License-Identifier: Apache-2.0
package org.grim.crypto;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

import org.grim.GrimException;
import org.grim.buffer.MappedFile;
import org.grim.buffer.OwnFiles;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.GrimException.Reason.SYSTEM_REFUSED;

/**
 * The secret that all hosts of a cluster share: messages are sealed with keys derived from it, one per purpose and
 * context, none of which reveals another. It is never shown: not by {@link #toString()}, in no error.
 * <p>A second secret may be accepted beside it: what was sealed with it opens, and nothing is sealed with it. So all
 * hosts change their key one after another.
 * <p>Thread: any; immutable.
 */
public final class ClusterKey
{
    /** Fewest bytes of a key file. */
    public static final int LENGTH_MIN = 32;
    /** Most bytes of a key file. */
    public static final int LENGTH_MAX = 4096;

    private static final byte[] SALT = "GRIM cluster key".getBytes(UTF_8);

    private final byte[] secret;
    private final List<ClusterKey> openers;

    private ClusterKey(final byte[] secret, final ClusterKey accepted)
    {
        this.secret = secret;
        openers = accepted == null ? List.of(this) : List.of(this, accepted);
    }

    /**
     * Reads the key that a configuration names.
     *
     * @param file         of the key; empty for none.
     * @param acceptedFile of a second key, which is accepted and not used; empty for none.
     * @return the key; null if both are empty.
     * @throws IllegalArgumentException if there is only a second key.
     * @throws GrimException            as {@link #read(Path)}, for either file.
     */
    public static ClusterKey read(final String file, final String acceptedFile)
    {
        if (file.isEmpty() && !acceptedFile.isEmpty())
        {
            throw new IllegalArgumentException("grim.network.accepted-key-file=" + acceptedFile +
                " needs grim.network.key-file: the key that is used");
        }
        return file.isEmpty() ? null : new ClusterKey(
            secret(Path.of(file)), acceptedFile.isEmpty() ? null : read(Path.of(acceptedFile)));
    }

    /**
     * Reads a key from a file.
     *
     * @param file a regular file of this user, mode 0600, that holds {@value #LENGTH_MIN} to {@value #LENGTH_MAX} bytes
     *             of any values, but not only zeros; links are not followed.
     * @return the key.
     * @throws GrimException if the file is missing, another user's or open to others, has another length, or holds
     *                       only zeros: the text names the file, what was found, and what was expected.
     */
    public static ClusterKey read(final Path file)
    {
        return new ClusterKey(secret(file), null);
    }

    private static byte[] secret(final Path file)
    {
        byte[] bytes = new byte[0];
        try
        {
            OwnFiles.requireFile(file);
            final long length = Files.size(file);
            if (length < LENGTH_MIN || length > LENGTH_MAX)
            {
                throw new GrimException(BAD_DATA, "key file " + file + " cannot be used: length=" + length +
                    " bytes is outside " + LENGTH_MIN + " to " + LENGTH_MAX);
            }
            bytes = Files.readAllBytes(file);
            if (Arrays.equals(bytes, new byte[bytes.length]))
            {
                throw new GrimException(BAD_DATA, "key file " + file + " cannot be used: all of its " + bytes.length +
                    " bytes are zero, expected random ones");
            }
            return Hkdf.extract(SALT, bytes);
        }
        catch (final GrimException ex)
        {
            throw ex.reason() == BAD_DATA ? ex : new GrimException(SYSTEM_REFUSED, "key file " + ex.getMessage(), ex);
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED,
                "read of key file " + file + " failed: " + MappedFile.describe(ex), ex);
        }
        finally
        {
            Arrays.fill(bytes, (byte)0);
        }
    }

    /** {@return the keys with which something may have been sealed that is to open: this one first} */
    public List<ClusterKey> openers()
    {
        return openers;
    }

    /**
     * Derives a key.
     *
     * @param purpose of it, a constant of its user.
     * @param context that distinguishes two keys of one purpose; may be empty.
     * @param length  bytes of the key, 1 to 8160.
     * @return the key, the same for the same secret and arguments.
     */
    public byte[] derive(final String purpose, final byte[] context, final int length)
    {
        final byte[] name = purpose.getBytes(UTF_8);
        final byte[] info = Arrays.copyOf(name, name.length + 1 + context.length);      // A zero ends the purpose.
        System.arraycopy(context, 0, info, name.length + 1, context.length);
        return Hkdf.expand(secret, info, length);
    }

    @Override
    public String toString()
    {
        return "ClusterKey";
    }
}
