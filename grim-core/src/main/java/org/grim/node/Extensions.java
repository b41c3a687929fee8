// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.util.List;
import java.util.ServiceLoader;

import org.grim.ActiveMessage;
import org.grim.endpoint.HandlerTable;
import org.grim.endpoint.ReceivedMessage;
import org.grim.extension.NodeExtension;
import org.grim.extension.NodeExtensionProvider;

/** Modules that add something to every node, and answers of those that are not there. Any thread; no state. */
final class Extensions
{
    private static final List<String> OWN = List.of("org.grim.collective.GroupsProvider");

    private Extensions()
    {
    }

    /** Extensions on the class path. */
    static List<NodeExtensionProvider> known()
    {
        return Providers.of(NodeExtensionProvider.class,
            ServiceLoader.load(NodeExtensionProvider.class, Extensions.class.getClassLoader()), OWN);
    }

    /** Has messages for extensions that this node does not have answered: their senders need not wait for it. */
    static void answerForAbsent(final HandlerTable handlers)
    {
        for (int id = NodeExtension.HANDLER_MIN; id < NodeExtension.ABSENT; id++)
        {
            if (handlers.handler(0, id) == null)
            {
                handlers.bind(0, id, Extensions::answer);
            }
        }
    }

    /** An answer that finds no room is lost: senders ask again. */
    private static void answer(final ActiveMessage message)
    {
        ((ReceivedMessage)message).linkToSource().sendBuiltIn(
            NodeExtension.ABSENT, 0, 0, message.buffer(), message.offset(), 0, false);
    }
}
