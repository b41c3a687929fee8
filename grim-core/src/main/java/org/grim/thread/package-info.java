// SPDX-License-Identifier: Apache-2.0
/**
 * Threads that the library starts; whom a thread wakes, and when; and the path of errors that no caller sees: to the
 * log and to the application's error handler. Any thread; imports Agrona and SLF4J only.
 */
package org.grim.thread;
