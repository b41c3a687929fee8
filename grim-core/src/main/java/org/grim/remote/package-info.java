// SPDX-License-Identifier: Apache-2.0
/**
 * Remote-memory operations of an endpoint: links, handles of reads, refusals.
 * Thread: the endpoint's owner. Imports {@code org.grim.endpoint}, {@code org.grim.memory} and the floors below them.
 */
package org.grim.remote;
