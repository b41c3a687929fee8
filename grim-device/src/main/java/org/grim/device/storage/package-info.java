// SPDX-License-Identifier: Apache-2.0
/**
 * A store: files below one directory as a device. The driver runs on the runner's thread, and its threads read and
 * write files. Imports {@code org.grim}, {@code org.grim.buffer} and {@code org.grim.device}.
 * <pre>
 *  StorageDriver --- StorageJob ---> queue of a thread ---> file
 *       ^                                                     |
 *       +-------------------- completions &lt;-------------------+
 * </pre>
 */
package org.grim.device.storage;
