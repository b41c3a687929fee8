// SPDX-License-Identifier: Apache-2.0
package org.grim.device.storage;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.grim.device.DeviceCode;
import org.grim.device.DeviceException;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

/**
 * The directory of a store. Each name of a path is looked up in the directory that was opened before it, and no link is
 * followed: no path leads out, also if the directories change meanwhile.
 * <p>Thread: any; no state. May block.
 */
final class StoreDirectory
{
    private static final int NAME_COUNT_MAX = 64;

    private final Path root;

    /** An action in the directory that holds the last name of a path. */
    private interface InDirectory<T>
    {
        T run(SecureDirectoryStream<Path> directory, Path name) throws IOException;
    }

    StoreDirectory(final Path root) throws IOException
    {
        this.root = root.toRealPath();
        openRoot().close();
    }

    /** Opens a file below the root; new ones are the owner's only. */
    FileChannel open(final String path, final Set<StandardOpenOption> options) throws IOException
    {
        return in(path, (directory, name) ->
        {
            final BasicFileAttributes attributes = attributes(directory, name);
            if (attributes == null ? !options.contains(StandardOpenOption.CREATE) : !attributes.isRegularFile())
            {
                throw attributes == null ? notFound(path) : refusal(path, "is no regular file");
            }
            final Set<OpenOption> all = new HashSet<>(options);
            all.add(NOFOLLOW_LINKS);
            return (FileChannel)directory.newByteChannel(
                name, all, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        });
    }

    /** Lists files and directories, sorted by name, as lines {@code TYPE LENGTH NAME}; links are left out. */
    List<String> list(final String path) throws IOException
    {
        return path.isEmpty() ? entries(openRoot()) :
            in(path, (directory, name) -> entries(enter(directory, name, path)));
    }

    private static List<String> entries(final SecureDirectoryStream<Path> opened) throws IOException
    {
        final List<String> lines = new ArrayList<>();
        try (SecureDirectoryStream<Path> directory = opened)
        {
            for (final Path entry : directory)
            {
                final String name = entry.getFileName().toString();
                final BasicFileAttributes attributes = attributes(directory, entry.getFileName());
                if (attributes != null && isPlain(attributes) && name.chars().noneMatch(Character::isISOControl))
                {
                    lines.add((attributes.isDirectory() ? "d 0 " : "f " + attributes.size() + " ") + name);
                }
            }
        }
        lines.sort(Comparator.comparing(line -> line.substring(line.indexOf(' ', 2))));
        return lines;
    }

    private static boolean isPlain(final BasicFileAttributes attributes)
    {
        return attributes.isRegularFile() || attributes.isDirectory();
    }

    private <T> T in(final String path, final InDirectory<T> action) throws IOException
    {
        final List<Path> names = names(path);
        SecureDirectoryStream<Path> directory = openRoot();
        try
        {
            for (final Path name : names.subList(0, names.size() - 1))
            {
                final SecureDirectoryStream<Path> next = enter(directory, name, path);
                directory.close();
                directory = next;
            }
            return action.run(directory, names.get(names.size() - 1));
        }
        finally
        {
            directory.close();
        }
    }

    private static SecureDirectoryStream<Path> enter(
        final SecureDirectoryStream<Path> directory, final Path name, final String path) throws IOException
    {
        final BasicFileAttributes attributes = attributes(directory, name);
        if (attributes == null || !attributes.isDirectory())
        {
            throw attributes == null ? notFound(path) : refusal(path, "leads through what is no directory");
        }
        return directory.newDirectoryStream(name, NOFOLLOW_LINKS);
    }

    /** Returns null if there is no such file. */
    private static BasicFileAttributes attributes(final SecureDirectoryStream<Path> directory, final Path name)
        throws IOException
    {
        try
        {
            return directory.getFileAttributeView(name, BasicFileAttributeView.class, NOFOLLOW_LINKS).readAttributes();
        }
        catch (final NoSuchFileException ex)
        {
            return null;
        }
    }

    @SuppressWarnings("StreamResourceLeak")         // The caller closes it.
    private SecureDirectoryStream<Path> openRoot() throws IOException
    {
        final DirectoryStream<Path> stream = Files.newDirectoryStream(root);
        if (stream instanceof final SecureDirectoryStream<Path> secure)
        {
            return secure;
        }
        stream.close();
        throw new IOException("root=" + root + " is on a file system without directories that can be held open");
    }

    private static List<Path> names(final String path)
    {
        final List<Path> names = new ArrayList<>();
        for (final String name : path.split("/", -1))
        {
            if (name.isEmpty() || name.equals(".") || name.equals("..") || names.size() == NAME_COUNT_MAX)
            {
                throw refusal(path, "is no relative path of up to " + NAME_COUNT_MAX + " names");
            }
            try
            {
                names.add(Path.of(name));
            }
            catch (final InvalidPathException ex)
            {
                throw refusal(path, "is no path");
            }
        }
        return names;
    }

    private static DeviceException refusal(final String path, final String reason)
    {
        return new DeviceException(DeviceCode.BAD_REQUEST, "path=" + path + " " + reason);
    }

    private static DeviceException notFound(final String path)
    {
        return new DeviceException(DeviceCode.NOT_FOUND, "path=" + path + " does not exist");
    }
}
