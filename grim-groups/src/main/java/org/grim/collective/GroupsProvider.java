// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import org.grim.extension.ExtensibleNode;
import org.grim.extension.NodeExtension;
import org.grim.extension.NodeExtensionProvider;
import org.grim.transport.Settings;

/** Adds groups to every node. Core finds it by {@link java.util.ServiceLoader}. Any thread; no state. */
public final class GroupsProvider implements NodeExtensionProvider
{
    @Override
    public void check(final Settings settings)
    {
        GroupSettings.of(settings);
    }

    @Override
    public NodeExtension open(final ExtensibleNode node)
    {
        return new NodeGroups(node);
    }
}
