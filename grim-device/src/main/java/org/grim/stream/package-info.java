// SPDX-License-Identifier: Apache-2.0
/**
 * Streams: connections, from an owner that injects items through stages on accelerators to a sink. Runs on the thread
 * that polls {@link org.grim.stream.Streams}. Imports the packages of devices and accelerators.
 */
package org.grim.stream;
