// SPDX-License-Identifier: Apache-2.0
/**
 * Joins the cluster, opens transports, and assembles endpoints from the floors below: the top floor.
 * Threads: each type says. Imports every other package; only {@code org.grim.Grim} uses it.
 */
package org.grim.node;
