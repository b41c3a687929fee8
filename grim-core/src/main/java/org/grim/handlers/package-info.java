// SPDX-License-Identifier: Apache-2.0
/**
 * The handlers of a node by name, and the exchange with the node that keeps the cluster's handler database.
 * Thread: any; the exchange: the host endpoint's owner. Imports {@code org.grim.endpoint} and the floors below it.
 */
package org.grim.handlers;
