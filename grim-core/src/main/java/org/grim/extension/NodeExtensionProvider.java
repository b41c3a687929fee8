// SPDX-License-Identifier: Apache-2.0
package org.grim.extension;

import org.grim.transport.Settings;

/**
 * Service by which core finds a module that adds something to every node: by {@link java.util.ServiceLoader}.
 * <p>Thread: any.
 */
public interface NodeExtensionProvider
{
    /**
     * Reads the module's keys once: refuses bad values where the configuration is made.
     *
     * @param settings of the node.
     * @throws IllegalArgumentException naming key, value and limit of what is wrong.
     */
    void check(Settings settings);

    /**
     * Adds the module's part to a node that is about to join. The host endpoint is there, and not polled yet.
     *
     * @param node that it belongs to.
     * @return the part.
     */
    NodeExtension open(ExtensibleNode node);
}
