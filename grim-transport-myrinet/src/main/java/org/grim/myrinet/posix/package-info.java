// SPDX-License-Identifier: Apache-2.0
/**
 * Calls of the operating system that Java has no words for, through JNR-FFI: the only native calls of GRIM, and the
 * only package that knows JNR. JNR makes the calls; memory is read and written through {@code org.grim.buffer}. Any
 * thread. Imports {@code org.grim} (the exception) and JNR.
 */
package org.grim.myrinet.posix;
