// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code demo-video}: a capture, two accelerators and a display in processes of their own, and the owner of
 * the stream between them. Main threads. Imports {@code org.grim}, its devices and streams, and {@code process} of the
 * tools.
 */
package org.grim.tools.demo.video;
