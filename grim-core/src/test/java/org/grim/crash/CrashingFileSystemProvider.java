// SPDX-License-Identifier: Apache-2.0
package org.grim.crash;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static org.grim.crash.CrashingFileSystem.unwrap;

/** A change of the file system is a step: making a directory or a file, renaming, deleting. */
final class CrashingFileSystemProvider extends FileSystemProvider
{
    private final CrashingFileSystem owner;
    private final FileSystemProvider real;
    private final Lifetime life;

    CrashingFileSystemProvider(final CrashingFileSystem owner, final FileSystemProvider real, final Lifetime life)
    {
        this.owner = owner;
        this.real = real;
        this.life = life;
    }

    @Override
    public void createDirectory(final Path path, final FileAttribute<?>... attributes) throws IOException
    {
        life.orderedStep();
        real.createDirectory(unwrap(path), attributes);
    }

    @Override
    public FileChannel newFileChannel(
        final Path path, final Set<? extends OpenOption> options, final FileAttribute<?>... attributes)
        throws IOException
    {
        if (options.contains(StandardOpenOption.CREATE) || options.contains(StandardOpenOption.CREATE_NEW))
        {
            life.orderedStep();
        }
        return real.newFileChannel(unwrap(path), options, attributes);
    }

    @Override
    public void move(final Path source, final Path target, final CopyOption... options) throws IOException
    {
        life.orderedStep();
        real.move(unwrap(source), unwrap(target), options);
    }

    @Override
    public void delete(final Path path) throws IOException
    {
        life.orderedStep();
        real.delete(unwrap(path));
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(
        final Path path, final DirectoryStream.Filter<? super Path> filter) throws IOException
    {
        final List<Path> content = new ArrayList<>();
        try (DirectoryStream<Path> stream = real.newDirectoryStream(unwrap(path),
            entry -> filter.accept(owner.wrap(entry))))
        {
            stream.forEach(entry -> content.add(owner.wrap(entry)));
        }
        return new DirectoryStream<>()
        {
            @Override
            public Iterator<Path> iterator()
            {
                return content.iterator();
            }

            @Override
            public void close()
            {
                // Was read at once.
            }
        };
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(
        final Path path, final Class<A> type, final LinkOption... options) throws IOException
    {
        return real.readAttributes(unwrap(path), type, options);
    }

    @Override
    public Map<String, Object> readAttributes(final Path path, final String attributes, final LinkOption... options)
        throws IOException
    {
        return real.readAttributes(unwrap(path), attributes, options);
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(
        final Path path, final Class<V> type, final LinkOption... options)
    {
        return real.getFileAttributeView(unwrap(path), type, options);
    }

    @Override
    public void checkAccess(final Path path, final AccessMode... modes) throws IOException
    {
        real.checkAccess(unwrap(path), modes);
    }

    @Override
    public FileStore getFileStore(final Path path) throws IOException
    {
        return real.getFileStore(unwrap(path));
    }

    @Override
    public boolean isSameFile(final Path path, final Path other) throws IOException
    {
        return real.isSameFile(unwrap(path), unwrap(other));
    }

    @Override
    public boolean isHidden(final Path path) throws IOException
    {
        return real.isHidden(unwrap(path));
    }

    @Override
    public String getScheme()
    {
        return real.getScheme();
    }

    @Override
    public FileSystem newFileSystem(final URI uri, final Map<String, ?> environment)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileSystem getFileSystem(final URI uri)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public Path getPath(final URI uri)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public SeekableByteChannel newByteChannel(
        final Path path, final Set<? extends OpenOption> options, final FileAttribute<?>... attributes)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public void copy(final Path source, final Path target, final CopyOption... options)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setAttribute(final Path path, final String attribute, final Object value, final LinkOption... options)
    {
        throw new UnsupportedOperationException();
    }
}
