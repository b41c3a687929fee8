// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

/**
 * Entries in the order in which they came. Each entry has its neighbours, so that nothing is allocated and any can be
 * taken out at once.
 */
final class EntryList
{
    private Entry first;
    private Entry last;

    Entry first()
    {
        return first;
    }

    void add(final Entry entry)
    {
        assert entry.list == null : "entry is in a list";
        entry.list = this;
        entry.before = last;
        entry.after = null;
        if (last == null)
        {
            first = entry;
        }
        else
        {
            last.after = entry;
        }
        last = entry;
    }

    void remove(final Entry entry)
    {
        assert entry.list == this : "entry is in another list";
        if (entry.before == null)
        {
            first = entry.after;
        }
        else
        {
            entry.before.after = entry.after;
        }
        if (entry.after == null)
        {
            last = entry.before;
        }
        else
        {
            entry.after.before = entry.before;
        }
        entry.list = null;
        entry.before = null;
        entry.after = null;
    }
}
