// SPDX-License-Identifier: Apache-2.0
package org.grim.counters;

/** A kind of counter in a counters file. Nodes have those of {@link CounterKind}; other modules have their own. */
public interface CounterType
{
    /** {@return number of the kind in a counters file; 1,000 or more} */
    int typeId();

    /** {@return name in command output; lower case with hyphens} */
    String label();

    /** {@return what there is one counter for: a constant of the module's own enum} */
    Enum<?> scope();
}
