// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.grim.tools.run.RunHosts.Host;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class RunHostsTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldReadList()
    {
        assertEquals(List.of(new Host("a", 0), new Host("u@b.example", 2), new Host("[fd00::1]", 3)),
            RunHosts.ofList("a, u@b.example:2,[fd00::1]:3").hosts());
        assertEquals("b.example", new Host("u@b.example", 2).address());
        assertEquals("fd00::1", new Host("[fd00::1]", 3).address());
    }

    @Test
    void shouldReadFileWithCommentsAndBothFormsOfSlots() throws IOException
    {
        final Path file = Files.writeString(directory.resolve("hosts"),
            "# all\n\na slots=4  # the large one\nb:2\n  c slots = 1\nd\n");

        assertEquals(List.of(new Host("a", 4), new Host("b", 2), new Host("c", 1), new Host("d", 0)),
            RunHosts.ofFile(file).hosts());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a,", "a,-oProxyCommand=x", "a b", "a:0", "a:4097", "a:b", "a:9999999999", "a,a:2",
        "$(x)", "a;b"})
    void shouldRefuseListThatHasSomethingElse(final String list)
    {
        final String message =
            assertThrows(IllegalArgumentException.class, () -> RunHosts.ofList(list)).getMessage();

        assertTrue(message.startsWith("--hosts=" + list + ": "), message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"a\\nb slots 4 | line=2: \"b slots 4\" is neither",
        "a slots=0 | line=1: slots=0 of host=a is outside 1 to 4096", "# none | names no host",
        "a\\n#\\na slots=2 | line=3: host=a is named twice"})
    void shouldRefuseFileThatHasSomethingElse(final String text, final String part) throws IOException
    {
        final Path file = Files.writeString(directory.resolve("hosts"), text.replace("\\n", "\n"));

        final String message =
            assertThrows(IllegalArgumentException.class, () -> RunHosts.ofFile(file)).getMessage();

        assertTrue(message.startsWith("--hostfile=" + file) && message.contains(part), message);
    }

    @Test
    void shouldRefuseFileThatIsNotThereOrNoText() throws IOException
    {
        final Path bytes = Files.write(directory.resolve("bytes"), new byte[] {(byte)0xFF, (byte)0xFE, 0});

        assertThrows(IllegalArgumentException.class, () -> RunHosts.ofFile(directory.resolve("none")));
        assertThrows(IllegalArgumentException.class, () -> RunHosts.ofFile(directory));
        assertThrows(IllegalArgumentException.class, () -> RunHosts.ofFile(bytes));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"a,b | 4 | 0,0,1,1", "a,b | 5 | 0,0,0,1,1", "a,b,c | 2 | 0,1", "a | 3 | 0,0,0",
        "a:1,b:3 | 4 | 0,1,1,1", "a:3,b:3 | 4 | 0,0,0,1", "a:2,b | 3 | 0,0,1"})
    void shouldPlaceRanksInBlocks(final String hosts, final int count, final String places)
    {
        assertEquals(List.of(places.split(",", -1)),
            RunHosts.ofList(hosts).place(count).stream().map(String::valueOf).toList());
    }

    @Test
    void shouldRefuseMoreRanksThanSlots()
    {
        final String message = assertThrows(
            IllegalArgumentException.class, () -> RunHosts.ofList("a:2,b").place(4)).getMessage();

        assertEquals("-n=4 is above the slots=3 of all hosts", message);
    }
}
