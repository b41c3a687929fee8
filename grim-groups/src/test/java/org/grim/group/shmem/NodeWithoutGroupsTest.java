// SPDX-License-Identifier: Apache-2.0
package org.grim.group.shmem;

import java.lang.reflect.InvocationTargetException;
import java.net.URLClassLoader;
import java.nio.file.Path;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.LibraryCopy;
import org.grim.group.Group;
import org.grim.group.Groups;
import org.grim.group.Members;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** A node of a program that has not grim-groups on its class path, in a cluster of nodes that have it. */
@Timeout(180)
final class NodeWithoutGroupsTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldMakeAGroupBesideANodeWithoutTheModule() throws Exception
    {
        try (URLClassLoader loader = LibraryCopy.load(entry -> !entry.toString().contains("/grim-groups/"));
            AutoCloseable other = join(loader);
            Grim grim = Grim.enable(
                GrimConfig.builder().directory(directory).transports("shmem").nodeName("member").build()))
        {
            grim.start();
            grim.awaitNodes(2, Members.TIMEOUT);

            final Group group = Groups.of(grim).join("group", Members.TIMEOUT);

            assertEquals(1, group.size());
            final Object groups = assertThrows(InvocationTargetException.class, () -> loader.loadClass("org.grim.Grim")
                .getMethod("extension", Class.class).invoke(other, Groups.class)).getCause().getMessage();
            assertEquals("no module of this node offers org.grim.group.Groups: transports=[shmem], others=[]", groups);
        }
    }

    /** Joins a node that polls itself. */
    private AutoCloseable join(final URLClassLoader loader) throws ReflectiveOperationException
    {
        final Class<?> builder = loader.loadClass("org.grim.GrimConfig$Builder");
        final Class<?> config = loader.loadClass("org.grim.GrimConfig");
        final Class<?> type = loader.loadClass("org.grim.Grim");
        final Object values = config.getMethod("builder").invoke(null);
        builder.getMethod("directory", Path.class).invoke(values, directory);
        builder.getMethod("nodeName", String.class).invoke(values, "other");
        builder.getMethod("transports", String[].class).invoke(values, (Object)new String[] {"shmem"});
        final Object grim = type.getMethod("enable", config).invoke(null, builder.getMethod("build").invoke(values));
        type.getMethod("startPolling").invoke(grim);
        type.getMethod("start").invoke(grim);
        return (AutoCloseable)grim;
    }
}
