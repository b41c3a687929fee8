// SPDX-License-Identifier: Apache-2.0
/**
 * Additions of a module to every node that are no transport: the service by which core finds it, and the parts of the
 * node that it gets. Imports the floors below; the node calls it, on the host endpoint's thread.
 */
package org.grim.extension;
