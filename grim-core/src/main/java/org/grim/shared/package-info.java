// SPDX-License-Identifier: Apache-2.0
/**
 * One endpoint for all threads of a process: the holder of its lock owns it, the thread that waits polls for all, and a
 * deputy does where none waits. For modules whose users call from any thread.
 * <pre>
 *  thread that waits --> Waiting --> PollingOrder --> Sleeper    (selector, doorbell)
 *                           |             |
 *                           +------> SharedEndpoint              (lock, polls)
 * </pre>
 * Imports the API and {@code org.grim.thread}. Any thread.
 */
package org.grim.shared;
