// SPDX-License-Identifier: Apache-2.0
package org.grim.buffer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

import org.grim.GrimException;

import static org.grim.GrimException.Reason.SYSTEM_REFUSED;

/**
 * A file together with the name that it had: distinguishes it from a later file of the same name, which another process
 * may have made after the directory was removed. Only reliable while the file is open or mapped somewhere: after that
 * the file system may use its number again.
 *
 * @param path of the file.
 * @param key  of the file, device and number; null if there was no file.
 */
public record FileIdentity(Path path, Object key)
{
    /**
     * Looks at a file; links are not followed.
     *
     * @param path of the file.
     * @return its identity, which no file has if there is none now.
     * @throws GrimException if the system refuses.
     */
    public static FileIdentity of(final Path path)
    {
        return new FileIdentity(path, keyOf(path));
    }

    /**
     * Returns whether the name still leads to this file.
     *
     * @return false also if there never was a file.
     * @throws GrimException if the system refuses.
     */
    public boolean isNamed()
    {
        return key != null && key.equals(keyOf(path));
    }

    /**
     * The same file under another name.
     *
     * @param otherPath of a hard link, or the name that the file gets.
     * @return the identity.
     */
    public FileIdentity at(final Path otherPath)
    {
        return new FileIdentity(otherPath, key);
    }

    /**
     * Removes the file, unless its name is gone or leads to another file by now.
     *
     * @throws GrimException if the system refuses.
     */
    public void delete()
    {
        if (isNamed())
        {
            MappedFile.delete(path);
        }
    }

    private static Object keyOf(final Path path)
    {
        try
        {
            return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).fileKey();
        }
        catch (final NoSuchFileException ex)
        {
            return null;
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED, "stat of " + path + " failed: " + MappedFile.describe(ex), ex);
        }
    }
}
