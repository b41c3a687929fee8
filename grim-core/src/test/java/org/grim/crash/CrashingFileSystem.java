// SPDX-License-Identifier: Apache-2.0
package org.grim.crash;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.Set;

/**
 * The file system, each change of which is a step of a {@link Lifetime}: its paths are those of the real one, which
 * they turn into when they are made real.
 * <p>Thread: the life's.
 */
public final class CrashingFileSystem extends FileSystem
{
    private final FileSystem real;
    private final Lifetime life;
    private final FileSystemProvider provider;

    private CrashingFileSystem(final FileSystem real, final Lifetime life)
    {
        this.real = real;
        this.life = life;
        provider = new CrashingFileSystemProvider(this, real.provider(), life);
    }

    /** The same path, as a process with that life uses it. */
    public static Path over(final Path path, final Lifetime life)
    {
        return new CrashingFileSystem(path.getFileSystem(), life).wrap(path);
    }

    Path wrap(final Path path)
    {
        return path == null ? null : (Path)Proxy.newProxyInstance(
            CrashingFileSystem.class.getClassLoader(), new Class<?>[]{CrashingPath.class},
            (proxy, method, arguments) -> call(path, method, arguments == null ? new Object[0] : arguments));
    }

    private Object call(final Path path, final Method method, final Object[] arguments) throws Throwable
    {
        if ("realPath".equals(method.getName()))
        {
            return path;
        }
        if ("getFileSystem".equals(method.getName()))
        {
            return this;
        }
        if ("toRealPath".equals(method.getName()))
        {
            life.orderedStep();                     // The caller wants the file for itself: to make and lock it.
            return path.toRealPath();
        }
        final Object[] realArguments = arguments.clone();
        for (int i = 0; i < realArguments.length; i++)
        {
            realArguments[i] = realArguments[i] instanceof Path other ? unwrap(other) : realArguments[i];
        }
        try
        {
            final Object result = method.invoke(path, realArguments);
            return result instanceof Path other ? wrap(other) : result;
        }
        catch (final InvocationTargetException ex)
        {
            throw ex.getCause();
        }
    }

    static Path unwrap(final Path path)
    {
        return path instanceof CrashingPath crashing ? crashing.realPath() : path;
    }

    /** A path of this file system. */
    private interface CrashingPath extends Path
    {
        Path realPath();
    }

    @Override
    public FileSystemProvider provider()
    {
        return provider;
    }

    @Override
    public void close()
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isOpen()
    {
        return real.isOpen();
    }

    @Override
    public boolean isReadOnly()
    {
        return real.isReadOnly();
    }

    @Override
    public String getSeparator()
    {
        return real.getSeparator();
    }

    @Override
    public Iterable<Path> getRootDirectories()
    {
        return real.getRootDirectories();
    }

    @Override
    public Iterable<FileStore> getFileStores()
    {
        return real.getFileStores();
    }

    @Override
    public Set<String> supportedFileAttributeViews()
    {
        return real.supportedFileAttributeViews();
    }

    @Override
    public Path getPath(final String first, final String... more)
    {
        return wrap(real.getPath(first, more));
    }

    @Override
    public PathMatcher getPathMatcher(final String syntaxAndPattern)
    {
        final PathMatcher matcher = real.getPathMatcher(syntaxAndPattern);
        return path -> matcher.matches(unwrap(path));
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService()
    {
        return real.getUserPrincipalLookupService();
    }

    @Override
    public WatchService newWatchService()
    {
        throw new UnsupportedOperationException();
    }
}
