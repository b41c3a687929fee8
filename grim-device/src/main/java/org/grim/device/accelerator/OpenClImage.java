// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.agrona.CloseHelper;
import org.grim.device.opencl.OpenClDevice;
import org.grim.device.opencl.OpenClProgram;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * An image in a file of OpenCL C. Lines of comment at its head name the kernels, the scratch memory for each byte of an
 * item, and what the numbers of refusals mean:
 * <pre>
 * // Grim-Kernels: edges, corners
 * // Grim-Scratch: 8
 * // Grim-Refusal-1: has no such operation
 * </pre>
 */
final class OpenClImage implements KernelImage
{
    /** Bytes of a file that are searched for these lines. */
    private static final int HEAD_LENGTH = 1 << 14;
    private static final int SCRATCH_MAX = 1 << 20;
    private static final Pattern LINE = Pattern.compile("(?m)^//\\h*(Grim-[A-Za-z0-9-]+):\\h*(.*?)\\s*$");
    private static final String KERNELS = "Grim-Kernels";
    private static final String SCRATCH = "Grim-Scratch";
    private static final String REFUSAL = "Grim-Refusal-";

    private final String name;
    private final long length;
    private final Source source;
    private final OpenClSupport support;
    private final Map<String, String> attributes;
    private final List<String> kernels;
    private final int scratchFactor;
    private OpenClProgram program;

    /** Reads the source once more. */
    private interface Source
    {
        String read() throws IOException;
    }

    private OpenClImage(
        final String name, final long length, final String head, final Source source, final OpenClSupport support)
    {
        this.name = name;
        this.length = length;
        this.source = source;
        this.support = support;
        attributes = attributes(head);
        kernels = KernelImage.names(name, KERNELS, attributes.get(KERNELS));
        scratchFactor = number(name, attributes.getOrDefault(SCRATCH, "0"));
    }

    /** Reads the head of a file. */
    static OpenClImage of(final Path file, final OpenClSupport support) throws IOException
    {
        final String head;
        try (InputStream input = Files.newInputStream(file))
        {
            head = new String(input.readNBytes(HEAD_LENGTH), UTF_8);
        }
        final long length = Files.size(file);
        return new OpenClImage(file.getFileName().toString(), length, head, () -> read(file, length), support);
    }

    /** Reads a file that comes with the accelerator. */
    static OpenClImage builtIn(final String name, final OpenClSupport support) throws IOException
    {
        try (InputStream input = OpenClImage.class.getResourceAsStream(name))
        {
            final String text = new String(input.readAllBytes(), UTF_8);
            return new OpenClImage(name, text.length(), text, () -> text, support);
        }
    }

    private static String read(final Path file, final long length) throws IOException
    {
        if (Files.size(file) != length)
        {
            throw new IOException("it has changed since the device was opened");
        }
        final String text = new String(Files.readAllBytes(file), UTF_8);    // The compiler sees malformed bytes.
        if (text.indexOf('\0') >= 0)
        {
            throw new IOException("it is no text: byte 0 at character " + text.indexOf('\0'));
        }
        return text;
    }

    private static Map<String, String> attributes(final String head)
    {
        final Map<String, String> found = new HashMap<>();
        final Matcher matcher = LINE.matcher(head);
        while (matcher.find())
        {
            found.putIfAbsent(matcher.group(1), matcher.group(2));
        }
        return found;
    }

    private static int number(final String image, final String text)
    {
        if (!text.matches("[0-9]{1,7}") || Integer.parseInt(text) > SCRATCH_MAX)
        {
            throw new IllegalArgumentException(
                "image " + image + ": " + SCRATCH + "=" + text + " is not a number from 0 to " + SCRATCH_MAX);
        }
        return Integer.parseInt(text);
    }

    @Override
    public String name()
    {
        return name;
    }

    @Override
    public List<String> kernels()
    {
        return kernels;
    }

    @Override
    public long length()
    {
        return length;
    }

    @Override
    public List<Kernel> load() throws IOException
    {
        try
        {
            final OpenClDevice device = support.device();
            program = device.build(source.read());
            final List<Kernel> loaded = new ArrayList<>();
            for (final String kernel : kernels)
            {
                loaded.add(new OpenClItemKernel(
                    kernel, device.runner(), program.kernel(kernel.replace('-', '_')), scratchFactor, this::refusal));
            }
            return loaded;
        }
        catch (final IOException ex)
        {
            unload();
            throw new IOException("image " + name + ": " + ex.getMessage(), ex);
        }
    }

    private String refusal(final int number)
    {
        return attributes.getOrDefault(REFUSAL + number, "refuses the item: number=" + number);
    }

    @Override
    public void unload()
    {
        CloseHelper.close(program);
        program = null;
    }
}
