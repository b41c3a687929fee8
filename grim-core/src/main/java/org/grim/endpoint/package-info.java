// SPDX-License-Identifier: Apache-2.0
/**
 * Sending and receiving: links, overflow, dispatch of messages to handlers, accounts of what was lost.
 * Thread: the endpoint's owner; shared links any. Imports the queues, the directory and the floors below them.
 */
package org.grim.endpoint;
