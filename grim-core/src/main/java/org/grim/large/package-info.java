// SPDX-License-Identifier: Apache-2.0
/**
 * Messages above the MTU and streams: read in place from the sender's outbox, or cut into parts and put together.
 * Thread: the endpoint's owner. Imports {@code org.grim.endpoint} and the floors below it.
 */
package org.grim.large;
