// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

/**
 * A receive that is posted, or a message that nobody expected: what {@link Matching} compares, and its place in the two
 * lists there.
 * <p>Thread: as the lists'.
 */
abstract class Entry
{
    /** Stands for any source or tag. */
    static final int ANY = -1;

    int context;
    int source;
    int tag;
    long number;
    EntryList list;                 // Of its bucket, or of entries with a wildcard; null while it is in none.
    Entry before;
    Entry after;
    Entry olderOfAll;               // Arrivals only: in the order of arrival.
    Entry newerOfAll;

    /** Sets what is compared. */
    final void envelope(final int newContext, final int newSource, final int newTag)
    {
        context = newContext;
        source = newSource;
        tag = newTag;
    }

    final boolean isWild()
    {
        return source == ANY || tag == ANY;
    }

    /** Whether this, with its wildcards, takes a message. */
    final boolean takes(final int ofContext, final int ofSource, final int ofTag)
    {
        return context == ofContext && (source == ANY || source == ofSource) && (tag == ANY ? ofTag >= 0 :
            tag == ofTag);
    }
}
