// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.injection;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import org.grim.GrimException;
import org.grim.buffer.MappedFile;
import org.grim.buffer.Uninterrupted;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigSyntax;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.GrimException.Reason.SYSTEM_REFUSED;

/**
 * An {@link InjectionPlan} as a text that people can read and edit: HOCON, one line per size class. Any thread; no
 * state.
 */
public final class PlanFile
{
    /** Version of the text's layout. */
    public static final int LAYOUT_VERSION = 1;

    private static final String VERSION = "layout-version";
    private static final String CLASSES = "classes";
    private static final String SIZE = "size";
    private static final String MECHANISM = "mechanism";
    private static final String BURST = "burst";
    private static final String REGISTERED = "registered";
    private static final String SEGMENT = "segment";
    private static final Set<String> FILE_KEYS = Set.of(VERSION, CLASSES);
    private static final Set<String> CLASS_KEYS = Set.of(SIZE, MECHANISM, BURST, REGISTERED, SEGMENT);
    private static final String TEMPORARY_SUFFIX = ".tmp";

    private PlanFile()
    {
    }

    /**
     * Reads a plan.
     *
     * @param file where it stands.
     * @return the plan, checked.
     * @throws GrimException if it cannot be read, or is not a plan: with the file, the line, the key and its value.
     */
    public static InjectionPlan read(final Path file)
    {
        try
        {
            final Config config = ConfigFactory.parseString(Files.readString(file), ConfigParseOptions.defaults()
                .setSyntax(ConfigSyntax.CONF).setOriginDescription(file.toString())).resolve();
            return plan(config, file);
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED, "read of " + file + " failed: " + MappedFile.describe(ex), ex);
        }
        catch (final ConfigException ex)
        {
            // The message names file and line.
            throw new GrimException(BAD_DATA, "the injection plan is wrong: " + ex.getMessage(), ex);
        }
    }

    /**
     * Writes a plan in one atomic step.
     *
     * @param plan     to write.
     * @param comments lines that say where it comes from.
     * @param file     that takes it; an older one is replaced.
     * @throws GrimException if that is not possible; an older file is then unchanged.
     */
    public static void write(final InjectionPlan plan, final List<String> comments, final Path file)
    {
        final Path whole = file.toAbsolutePath();
        final Path temporary =
            whole.resolveSibling(whole.getFileName() + "." + ProcessHandle.current().pid() + TEMPORARY_SUFFIX);
        try
        {
            Uninterrupted.run(() -> writeWhole(text(plan, comments), temporary));
            Files.move(temporary, whole, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        catch (final IOException ex)
        {
            MappedFile.delete(temporary);
            throw new GrimException(SYSTEM_REFUSED, "write of " + file + " failed: " + MappedFile.describe(ex), ex);
        }
    }

    private static Path writeWhole(final String text, final Path file) throws IOException
    {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE))
        {
            final ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(UTF_8));
            while (bytes.hasRemaining())
            {
                channel.write(bytes);
            }
            channel.force(true);            // Before the rename: else a crash could leave an empty file of this name.
        }
        return file;
    }

    /**
     * The text of a plan.
     *
     * @param plan     to write.
     * @param comments lines that say where it comes from.
     * @return HOCON.
     */
    static String text(final InjectionPlan plan, final List<String> comments)
    {
        final StringBuilder text = new StringBuilder("# Injection of payloads into the memory of a GRIM board, " +
            "by size. Written by grim tune; may be edited.\n");
        comments.forEach(comment -> text.append("# ").append(comment.replaceAll("\\R", " ")).append('\n'));
        text.append("# Use it with grim.myrinet.injection.file. Mechanisms: ")
            .append(String.join(", ", Mechanism.labels())).append(".\n")
            .append("# registered: for payloads in the DMA region. burst: bytes between pauses, 0 for none.\n")
            .append("# segment: bytes that are published at a time, 0 for all at once.\n")
            .append(VERSION).append(" = ").append(LAYOUT_VERSION).append("\n").append(CLASSES).append(" = [\n");
        for (final InjectionPlan.Entry entry : plan.entries())
        {
            text.append("  { ").append(SIZE).append(" = ").append(entry.size())
                .append(", ").append(MECHANISM).append(" = ").append(entry.mechanism().label())
                .append(", ").append(BURST).append(" = ").append(entry.burstLength())
                .append(", ").append(REGISTERED).append(" = ").append(entry.registered().label())
                .append(", ").append(SEGMENT).append(" = ").append(entry.segmentLength()).append(" }\n");
        }
        return text.append("]\n").toString();
    }

    private static InjectionPlan plan(final Config config, final Path file)
    {
        // First: the keys of another version may mean other things.
        final int version = config.getInt(VERSION);
        if (version != LAYOUT_VERSION)
        {
            throw new GrimException(BAD_DATA, at(file, config.getValue(VERSION).origin()) + VERSION + "=" + version +
                ", this GRIM reads version=" + LAYOUT_VERSION + "; make a new plan with grim tune");
        }
        refuseUnknownKeys(config, FILE_KEYS, file);
        final List<InjectionPlan.Entry> entries = new ArrayList<>();
        for (final Config line : config.getConfigList(CLASSES))
        {
            entries.add(entry(line, file));
            requireOrder(entries, line, file);
        }
        try
        {
            return new InjectionPlan(entries);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new GrimException(BAD_DATA,
                at(file, config.getValue(CLASSES).origin()) + CLASSES + ": " + ex.getMessage(), ex);
        }
    }

    private static InjectionPlan.Entry entry(final Config line, final Path file)
    {
        refuseUnknownKeys(line, CLASS_KEYS, file);
        final Mechanism mechanism = mechanism(line, MECHANISM, file);
        final Mechanism registered = mechanism(line, REGISTERED, file);
        try
        {
            return new InjectionPlan.Entry(
                line.getInt(SIZE), mechanism, line.getInt(BURST), registered, line.getInt(SEGMENT));
        }
        catch (final IllegalArgumentException ex)
        {
            throw new GrimException(BAD_DATA, at(file, line.root().origin()) + ex.getMessage(), ex);
        }
    }

    private static Mechanism mechanism(final Config line, final String key, final Path file)
    {
        final String label = line.getString(key);
        final Mechanism mechanism = Mechanism.ofLabel(label);
        if (mechanism == null)
        {
            throw new GrimException(BAD_DATA, at(file, line.getValue(key).origin()) + key + "=" + label +
                " is none of " + Mechanism.labels());
        }
        return mechanism;
    }

    /** Where the first size out of order stands; the plan itself would only say which. */
    private static void requireOrder(final List<InjectionPlan.Entry> entries, final Config line, final Path file)
    {
        final int size = entries.get(entries.size() - 1).size();
        if (entries.size() > SizeClasses.COUNT || size != SizeClasses.size(entries.size() - 1))
        {
            throw new GrimException(BAD_DATA,
                at(file, line.getValue(SIZE).origin()) + SIZE + "=" + size + " is out of order: " +
                "each power of two from " + SizeClasses.SIZE_MIN + " to " + SizeClasses.SIZE_MAX +
                " stands once, in ascending order");
        }
    }

    private static void refuseUnknownKeys(final Config config, final Set<String> known, final Path file)
    {
        for (final String key : new TreeSet<>(config.root().keySet()))
        {
            if (!known.contains(key))
            {
                throw new GrimException(BAD_DATA, at(file, config.root().get(key).origin()) + key + "=" +
                    config.root().get(key).render() + " is unknown: known=" + new TreeSet<>(known));
            }
        }
    }

    private static String at(final Path file, final ConfigOrigin origin)
    {
        return "the injection plan is wrong: " + file + ": " + origin.lineNumber() + ": ";
    }
}
