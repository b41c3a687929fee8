// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import java.util.List;

/**
 * A stage that a message came through.
 *
 * @param name  of it.
 * @param endNs when it was over, counted from the start of the injection of its fragment.
 */
public record Stage(String name, long endNs)
{
    /** The stages of a fragment, in order. */
    static List<Stage> of(final Fragment fragment)
    {
        final long startNs = fragment.injectStartNs;
        return List.of(
            new Stage("injected", fragment.visibleNs - startNs),
            new Stage("found, header set", fragment.sendStartNs - startNs),
            new Stage("arrived", fragment.arrivedNs - startNs),
            new Stage("decoded", fragment.decodedNs - startNs),
            new Stage("judged", fragment.judgedNs - startNs),
            new Stage("delivered", fragment.deliveredNs - startNs),
            new Stage("notified", fragment.notifiedNs - startNs),
            new Stage("seen by the host", fragment.seenNs - startNs));
    }
}
