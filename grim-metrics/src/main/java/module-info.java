// SPDX-License-Identifier: Apache-2.0
/** Nodes as meters of Micrometer. */
module org.grim.metrics
{
    exports org.grim.metrics;

    requires transitive org.grim.core;
    requires transitive micrometer.core;
}
