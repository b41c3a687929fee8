// SPDX-License-Identifier: Apache-2.0
/**
 * Hosts of a network of their own on one machine, for demonstrations and tests. One thread. Imports nothing of GRIM;
 * nothing else of this module knows it.
 */
package org.grim.network.namespaces;
