// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.demo.video;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import org.grim.device.video.VideoFrame;

/**
 * Options of {@link DemoVideo}. Immutable.
 *
 * @param width  of the picture, 1 to {@value #SIDE_MAX}.
 * @param height of the picture, likewise.
 * @param rate   frames per second; 0 for the input's own.
 * @param input  a file, or the words of a program; empty for the test pattern.
 * @param png    directory for pictures; null for a web page.
 */
public record VideoOptions(int width, int height, int rate, String input, Path png)
{
    /** Longest side of a picture. */
    public static final int SIDE_MAX = 2_048;
    private static final int PLANE_COUNT_MAX = 3;

    /** Bytes of the longest frame, and of each result. */
    int frameLength()
    {
        return VideoFrame.HEADER_LENGTH + PLANE_COUNT_MAX * width * height;
    }

    /** Returns whether frames are dropped rather than held up: those of a file wait. */
    boolean isLive()
    {
        return input.isEmpty() || !Files.isRegularFile(Path.of(input));
    }

    Map<String, String> capture()
    {
        final Map<String, String> options = new HashMap<>();
        final boolean isFile = !input.isEmpty() && Files.exists(Path.of(input));
        options.put(isFile ? "source" : input.isEmpty() ? "size" : "command", input.isEmpty() ? size() : input);
        if (rate > 0)
        {
            options.put("rate", Integer.toString(rate));
        }
        return options;
    }

    Map<String, String> display()
    {
        return Map.of("size", size(), png == null ? "web" : "png", png == null ? "0" : png.toString());
    }

    private String size()
    {
        return width + "x" + height;
    }
}
