// SPDX-License-Identifier: Apache-2.0
/**
 * What the launcher that started a process says of it in its environment: name, host, other hosts, size of the cluster.
 * Any thread; no state. Imports the transport SPI's settings.
 */
package org.grim.network.launcher;
