// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.injection;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.transport.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class PlanFileTest
{
    private static final String GOOD = PlanFile.text(InjectionPlan.builtIn(), List.of());

    @TempDir
    private Path directory;

    @Test
    void shouldReadWhatItWrote() throws IOException
    {
        final Path file = directory.resolve("plan.conf");
        final List<InjectionPlan.Entry> entries = new ArrayList<>();
        final List<Mechanism> mechanisms = List.of(Mechanism.values());
        for (int i = 0; i < SizeClasses.COUNT; i++)
        {
            final Mechanism mechanism = mechanisms.get(i % (mechanisms.size() - 1));
            entries.add(new InjectionPlan.Entry(SizeClasses.size(i), mechanism, mechanism.isPio() ? 16 + i * 8 : 0,
                (i & 1) == 0 ? mechanism : Mechanism.ZERO_COPY, i < 4 ? 0 : 64 * i));
        }
        final InjectionPlan plan = new InjectionPlan(entries);

        PlanFile.write(InjectionPlan.builtIn(), List.of("an older one"), file);
        PlanFile.write(plan, List.of("machine: any; LANai 9", "a line\nthat is two"), file);

        assertEquals(plan, PlanFile.read(file));
        final List<String> lines = Files.readAllLines(file);
        assertTrue(lines.contains("# machine: any; LANai 9"), lines::toString);
        assertTrue(lines.contains("# a line that is two"), lines::toString);
        try (Stream<Path> files = Files.list(directory))
        {
            assertEquals(List.of(file), files.toList(), "nothing temporary is left");
        }
    }

    @Test
    void shouldReadTheBuiltInPlan() throws IOException
    {
        assertEquals(InjectionPlan.builtIn(), PlanFile.read(file(GOOD)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "layout-version = 1 | layout-version = 2 | 5: layout-version=2, this GRIM reads version=1; make a new plan " +
            "with grim tune",
        "layout-version = 1 | '' | No configuration setting found for key 'layout-version'",
        "size = 64, mechanism = word-stores | size = 64, mechanism = teleport | 8: mechanism=teleport is none of " +
            "[word-stores, bulk-copy, libc-copy, one-copy, double-buffered, zero-copy]",
        "size = 64, mechanism = word-stores | size = 64, mechanism = zero-copy | 8: mechanism=zero-copy cannot move " +
            "every payload: it may stand as registered",
        "size = 64, mechanism = word-stores | size = 64, mechanism = one-copy | 8: registered=word-stores is neither " +
            "mechanism=one-copy nor zero-copy",
        "size = 64 | size = 128 | 8: size=128 is out of order: each power of two from 32 to 65536 stands once, in " +
            "ascending order",
        "size = 65536 | size = 131072 | 18: size=131072 is out of order",
        "size = 64 | size = some | 8: size has type STRING rather than NUMBER",
        "burst = 0 | burst = 12 | 7: burst=12 is neither 0 nor a multiple of 8 from 16 to 65536",
        "burst = 0 | burst = -8 | 7: burst=-8 is neither 0 nor a multiple of 8 from 16 to 65536",
        "segment = 8192 | segment = 100 | 17: segment=100 is neither 0 nor a multiple of 64 from 256 to 65536",
        "segment = 0 } | segment = 0, speed = 3 } | 7: speed=3 is unknown: known=[burst, mechanism, registered, " +
            "segment, size]",
        "classes = [ | hue = red, classes = [ | 6: hue=\"red\" is unknown: known=[classes, layout-version]",
        "segment = 0 } | } | No configuration setting found for key 'segment'",
        "classes = [ | classes = { | expecting a close",
    })
    void shouldNameWhatIsWrong(final String good, final String bad, final String expected) throws IOException
    {
        assertTrue(GOOD.contains(good), good);
        final Path file = file(GOOD.replaceFirst(java.util.regex.Pattern.quote(good), bad));

        final String message = assertThrows(GrimException.class, () -> PlanFile.read(file)).getMessage();

        assertTrue(message.startsWith("the injection plan is wrong: ") && message.contains(file.toString()) &&
            message.contains(expected), message);
    }

    @Test
    void shouldMissASize() throws IOException
    {
        final Path file = file(GOOD.replaceFirst("  \\{ size = 65536.*\n", ""));

        final String message = assertThrows(GrimException.class, () -> PlanFile.read(file)).getMessage();

        assertTrue(message.contains("classes: size=(none) stands where size=65536 should"), message);
    }

    @Test
    void shouldRefuseALineTooMany() throws IOException
    {
        final Path file = file(GOOD.replaceFirst("  (\\{ size = )65536(.*\n)",
            "  $165536$2  { size = 131072, mechanism = bulk-copy, burst = 0, registered = bulk-copy, segment = 0 }\n"));

        final String message = assertThrows(GrimException.class, () -> PlanFile.read(file)).getMessage();

        assertTrue(message.contains("19: size=131072 is out of order"), message);
    }

    @Test
    void shouldSayThatThereIsNoFile()
    {
        final Path file = directory.resolve("none.conf");

        final String message = assertThrows(GrimException.class, () -> PlanFile.read(file)).getMessage();

        assertEquals("read of " + file + " failed: NoSuchFileException " + file, message);
    }

    @Test
    void shouldLeaveTheOldPlanWhenItCannotWrite()
    {
        final Path file = directory.resolve("none").resolve("plan.conf");

        final String message = assertThrows(GrimException.class,
            () -> PlanFile.write(InjectionPlan.builtIn(), List.of(), file)).getMessage();

        assertTrue(message.startsWith("write of " + file + " failed: NoSuchFileException"), message);
        assertFalse(Files.exists(file));
    }

    @Test
    void shouldFollowTheConfiguration() throws IOException
    {
        final Path file = file(GOOD.replaceFirst(
            "size = 1024, mechanism = bulk-copy, burst = 0, registered = bulk-copy",
            "size = 1024, mechanism = libc-copy, burst = 512, registered = zero-copy"));

        assertEquals(InjectionPlan.builtIn(), InjectionPlan.of(settings("", "auto")));
        assertEquals(PlanFile.read(file), InjectionPlan.of(settings(file.toString(), "auto")));
        final InjectionPlan words = InjectionPlan.of(settings(file.toString(), "word-stores"));
        assertEquals(new InjectionPlan.Entry(1024, Mechanism.WORD_STORES, 512, Mechanism.WORD_STORES, 0),
            words.entry(513));
        final InjectionPlan zero = InjectionPlan.of(settings(file.toString(), "zero-copy"));
        assertEquals(new InjectionPlan.Entry(1024, Mechanism.LIBC_COPY, 512, Mechanism.ZERO_COPY, 0),
            zero.entry(1024));
        final InjectionPlan pulled = InjectionPlan.of(settings(file.toString(), "one-copy"));
        assertEquals(new InjectionPlan.Entry(65_536, Mechanism.ONE_COPY, 0, Mechanism.ONE_COPY, 8192),
            pulled.entry(65_504));
    }

    @Test
    void shouldRefuseAnUnknownMechanismOfTheConfiguration()
    {
        final Settings settings = settings("", "magic");

        assertEquals("grim.myrinet.injection.mechanism=magic is not one of auto, word-stores, bulk-copy, " +
            "libc-copy, one-copy, double-buffered, zero-copy",
            assertThrows(IllegalArgumentException.class, () -> InjectionPlan.of(settings)).getMessage());
    }

    @Test
    void shouldDocumentItsKeys()
    {
        assertEquals(InjectionPlan.builtIn(), InjectionPlan.of(new Settings(GrimConfig.load().settings())));
    }

    private static Settings settings(final String file, final String mechanism)
    {
        return new Settings(
            Map.of("grim.myrinet.injection.file", file, "grim.myrinet.injection.mechanism", mechanism));
    }

    private Path file(final String text) throws IOException
    {
        return Files.writeString(directory.resolve("plan.conf"), text);
    }
}
