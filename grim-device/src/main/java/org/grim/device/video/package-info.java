// SPDX-License-Identifier: Apache-2.0
/**
 * Video: a capture device sends frames of a file, a pipe, a child process or a test pattern; a display shows frames.
 * The drivers run on the runner's threads; a capture has a thread that reads, a display one that draws. Imports {@code
 * org.grim}, {@code org.grim.buffer} and {@code org.grim.device}.
 * <pre>
 *  FrameSource --- CaptureThread ---> CaptureDriver === frame window ===> DisplayDriver --- thread ---> sinks
 * </pre>
 */
package org.grim.device.video;
