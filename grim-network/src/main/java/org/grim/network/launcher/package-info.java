// SPDX-License-Identifier: Apache-2.0
/**
 * The launcher's description of a process in its environment: name, host, other hosts, size of the cluster. Any thread;
 * no state. Imports the transport SPI's settings.
 */
package org.grim.network.launcher;
