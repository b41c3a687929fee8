// SPDX-License-Identifier: Apache-2.0
/**
 * The transport between hosts: each hop is an Aeron publication to the peer's host, each arrival queue an Aeron image.
 * One thread of the transport runs the client's conductor and reports consumption; loops claim and poll. Imports {@code
 * org.grim.buffer, org.grim.crypto, org.grim.transport, org.grim.wire} and Aeron.
 */
package org.grim.aeron;
