// SPDX-License-Identifier: Apache-2.0
/**
 * Accelerators: devices that run kernels on the items of streams and forward the results. Runs on the thread of the
 * device's runner; images are loaded on one more. Imports the package of devices.
 */
package org.grim.device.accelerator;
