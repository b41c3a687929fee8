// SPDX-License-Identifier: Apache-2.0
package org.example;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Looks for what classes want of libraries and do not find there: every class, method and field that their constant
 * pools name, and every method that a library's type leaves to them. Runs none of their code.
 */
final class LinkCheck implements AutoCloseable
{
    private final URLClassLoader loader;
    private final List<String> packages;
    private final TreeSet<String> missing = new TreeSet<>();

    /**
     * Takes the libraries.
     *
     * @param jars     of the libraries, and jars or directories of the classes that shall be checked.
     * @param packages of the libraries, in the form {@code org/agrona/}.
     */
    LinkCheck(final List<Path> jars, final List<String> packages) throws IOException
    {
        final List<URL> urls = new ArrayList<>();
        for (final Path jar : jars)
        {
            urls.add(jar.toUri().toURL());
        }
        loader = new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
        this.packages = packages;
    }

    /** Checks all classes of a jar or directory. */
    void check(final Path classes) throws IOException
    {
        if (Files.isDirectory(classes))
        {
            checkTree(classes);
            return;
        }
        try (FileSystem jar = FileSystems.newFileSystem(classes))
        {
            checkTree(jar.getPath("/"));
        }
    }

    /** Missing names. */
    Set<String> missing()
    {
        return missing;
    }

    @Override
    public void close() throws IOException
    {
        loader.close();
    }

    private void checkTree(final Path root) throws IOException
    {
        final List<Path> files;
        try (Stream<Path> paths = Files.walk(root))
        {
            files = paths.filter(path -> path.toString().endsWith(".class") && !path.endsWith("module-info.class"))
                .toList();
        }
        for (final Path file : files)
        {
            try (InputStream bytes = Files.newInputStream(file))
            {
                checkConstants(new DataInputStream(bytes));
            }
            final String name = root.relativize(file).toString();
            checkInherited(name.substring(0, name.length() - ".class".length()).replace('/', '.'));
        }
    }

    /** An abstract method of a library's type that the class does not have. */
    private void checkInherited(final String name)
    {
        try
        {
            final Class<?> type = Class.forName(name, false, loader);
            if (!Modifier.isAbstract(type.getModifiers()))
            {
                Stream.of(type.getMethods()).filter(method -> Modifier.isAbstract(method.getModifiers()))
                    .forEach(method -> missing.add(name + " lacks " + method));
            }
        }
        catch (final ClassNotFoundException | LinkageError ex)
        {
            missing.add(name + ": " + ex);
        }
    }

    /** Constant pool, as chapter 4.4 of the JVM's specification has it. */
    private void checkConstants(final DataInputStream in) throws IOException
    {
        in.skipNBytes(8);
        final int count = in.readUnsignedShort();
        final Object[] pool = new Object[count];
        final List<int[]> members = new ArrayList<>();
        final List<Integer> types = new ArrayList<>();
        for (int i = 1; i < count; i++)
        {
            final int tag = in.readUnsignedByte();
            switch (tag)
            {
                case 1 -> pool[i] = in.readUTF();
                case 3, 4, 17, 18 -> in.skipNBytes(4);
                case 5, 6 ->
                {
                    in.skipNBytes(8);
                    i++;
                }
                case 7 ->
                {
                    pool[i] = in.readUnsignedShort();
                    types.add(i);
                }
                case 8, 16, 19, 20 -> in.skipNBytes(2);
                case 9, 10, 11 -> members.add(new int[]{tag, in.readUnsignedShort(), in.readUnsignedShort()});
                case 12 -> pool[i] = new int[]{in.readUnsignedShort(), in.readUnsignedShort()};
                case 15 -> in.skipNBytes(3);
                default -> throw new IOException("constant of tag=" + tag);
            }
        }
        types.forEach(index -> load((String)pool[(int)pool[index]]));
        for (final int[] member : members)
        {
            final String owner = (String)pool[(int)pool[member[1]]];
            if (isOfLibrary(owner))
            {
                final int[] nameAndType = (int[])pool[member[2]];
                final String name = (String)pool[nameAndType[0]];
                final String descriptor = (String)pool[nameAndType[1]];
                final Class<?> type = load(owner);
                if (type != null && !has(type, member[0] == 9, name, descriptor))
                {
                    missing.add(owner + "." + name + descriptor);
                }
            }
        }
    }

    private Class<?> load(final String name)
    {
        if (!isOfLibrary(name))
        {
            return null;
        }
        try
        {
            return Class.forName(name.replace('/', '.'), false, loader);
        }
        catch (final ClassNotFoundException | LinkageError ex)
        {
            missing.add(name);
            return null;
        }
    }

    private boolean isOfLibrary(final String name)
    {
        return packages.stream().anyMatch(name::startsWith);
    }

    private boolean has(final Class<?> type, final boolean isField, final String name, final String descriptor)
    {
        try
        {
            final MethodType signature =
                MethodType.fromMethodDescriptorString(isField ? "()" + descriptor : descriptor, loader);
            return isField ? hasField(type, name, signature.returnType()) : hasMethod(type, name, signature);
        }
        catch (final TypeNotPresentException ex)
        {
            return false;
        }
    }

    private static boolean hasField(final Class<?> type, final String name, final Class<?> fieldType)
    {
        for (final Field field : type.getDeclaredFields())
        {
            if (field.getName().equals(name) && field.getType() == fieldType)
            {
                return true;
            }
        }
        return above(type).anyMatch(each -> hasField(each, name, fieldType));
    }

    private static boolean hasMethod(final Class<?> type, final String name, final MethodType signature)
    {
        for (final Constructor<?> made : type.getDeclaredConstructors())
        {
            if (name.equals("<init>") && signature.parameterList().equals(List.of(made.getParameterTypes())))
            {
                return true;
            }
        }
        for (final Method method : type.getDeclaredMethods())
        {
            if (method.getName().equals(name) && method.getReturnType() == signature.returnType() &&
                signature.parameterList().equals(List.of(method.getParameterTypes())))
            {
                return true;
            }
        }
        return above(type).anyMatch(each -> hasMethod(each, name, signature));
    }

    private static Stream<Class<?>> above(final Class<?> type)
    {
        final Stream<Class<?>> interfaces = Stream.of(type.getInterfaces());
        if (type.getSuperclass() != null)
        {
            return Stream.concat(Stream.of(type.getSuperclass()), interfaces);
        }
        return type.isInterface() ? Stream.concat(interfaces, Stream.of(Object.class)) : interfaces;
    }
}
