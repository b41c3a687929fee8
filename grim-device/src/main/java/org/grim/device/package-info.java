// SPDX-License-Identifier: Apache-2.0
/**
 * Devices: a {@code DeviceRunner} steps a device's endpoint and its driver on one thread, and answers what every device
 * answers; {@code DeviceClient} asks. Imports {@code org.grim}, {@code org.grim.buffer} and {@code org.grim.thread}.
 * <pre>
 *  DeviceClient ----request----> DeviceEndpoint          DeviceRunner ----doWork----> DeviceDriver
 *       ^                             |                     |    ^                       |    |
 *       |                             +--- one message -----+    |                  its own threads
 *       |                                                   v    |                       |
 *       +-----------answer----------- DeviceRequest &lt;--- handler of the driver &lt;--- completions
 * </pre>
 */
package org.grim.device;
