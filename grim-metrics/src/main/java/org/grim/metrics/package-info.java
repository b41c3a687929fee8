// SPDX-License-Identifier: Apache-2.0
/**
 * A node as meters of Micrometer. Imports {@code org.grim} alone. Meters are read by the threads of their registry;
 * nodes do nothing for them.
 */
package org.grim.metrics;
