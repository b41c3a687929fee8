// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.nio.channels.SelectionKey;
import java.util.AbstractSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;

/**
 * The selected keys, as the application sees them: it may remove, not add.
 * <p>Thread: as the contract of {@link java.nio.channels.Selector} says.
 */
final class SelectedKeys extends AbstractSet<SelectionKey>
{
    private final Set<SelectionKey> keys = new HashSet<>();

    boolean select(final SelectionKey key)
    {
        return keys.add(key);
    }

    @Override
    public Iterator<SelectionKey> iterator()
    {
        return keys.iterator();
    }

    @Override
    public int size()
    {
        return keys.size();
    }

    @Override
    public boolean contains(final Object key)
    {
        return keys.contains(key);
    }

    @Override
    public boolean remove(final Object key)
    {
        return keys.remove(key);
    }

    @Override
    public void clear()
    {
        keys.clear();
    }
}
