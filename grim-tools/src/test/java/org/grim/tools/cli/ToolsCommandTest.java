// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.IOException;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class ToolsCommandTest extends CommandRun
{
    @TempDir
    private Path directory;

    /** DIR stands for an empty directory. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "2 | a command is missing | ",
        "2 | Unknown option: '--nonsense' | nodes --nonsense",
        "2 | Unknown option: '--directry'; did you mean --directory? | nodes --directry",
        "2 | command=stats is unknown; did you mean stat | stats --watch 1",
        "2 | command=pingpon is unknown; did you mean pingpong | help pingpon",
        "2 | ./grim --help lists all commands | frobnicate",
        "2 | --watch=0.01 is outside 0.1 to 3600 | stat --watch 0.01",
        "2 | --sample=5 is outside 10 to 60000 | why --sample 5",
        "2 | --contexts=0 is outside 1 to 254 | board --contexts 0",
        "2 | --channels=255 is outside 1 to 254 | board --channels 255",
        "2 | --sram=1000 is outside 65536 to 67108864 | board --sram 1000",
        "2 | --lanai=7 is neither 4 nor 9 | board --lanai 7",
        "2 | Missing required parameter: 'KIND' | device",
        "2 | --channels=17 is outside 1 to 16 | device fpga --channels 17",
        "2 | Unmatched argument at index 2: 'x' | device fpga x",
        "1 | device kind=camera is none of host-cpu, video-capture | device camera",
        "1 | device kind=fpga has no driver on the class path | device fpga a=b --directory DIR",
        "2 | Missing required option: '--ranks=N' | run -- true",
        "2 | -n=0 is outside 1 to 1024 | run -n 0 -- true",
        "2 | -n=1025 is outside 1 to 1024 | run -n 1025 -- true",
        "1 | have the same address=127.0.0.1: name a host once | run -n 2 --hosts 127.0.0.1,localhost -- true",
        "2 | 'x' is not an int | run -n x -- true",
        "2 | a main class is missing | run -n 2",
        "2 | command=DIR/none is not an executable file | run -n 2 -- DIR/none",
        "2 | command=no-such is not an executable file on PATH= | run -n 2 -- no-such a",
        "2 | --hosts=a,b and --hostfile=c exclude each other | run -n 2 --hosts a,b --hostfile c -- true",
        "1 | --hostfile=DIR/none cannot be read | run -n 2 --hostfile DIR/none -- true",
        "1 | --hosts=a,: \"\" is neither NAME nor NAME:SLOTS | run -n 2 --hosts a, -- true",
        "2 | -cp, -D and -X are for a main class | run -n 2 -cp x -- true",
        "1 | -n=3 is above the slots=2 of all hosts | run -n 3 --hosts a:2 -- true",
        "1 | host=localhost cannot be used: exit code=1; mkdir: | run -n 2 --directory DIR/none -- true",
        "1 | no cluster at DIR/none | nodes --directory DIR --cluster none",
        "1 | no cluster at DIR/none | stat --directory DIR --cluster none",
        "1 | grim.cluster.name=../x is not | nodes --cluster ../x"})
    void shouldSayInOneSentenceWhatIsWrong(final int exitCode, final String part, final String args)
    {
        final String base = directory.toString();

        assertRefused(exitCode, part.replace("DIR", base),
            args == null ? new String[0] : args.replace("DIR", base).split(" "));

        assertEquals(0, directory.toFile().list().length, "something was left behind");
    }

    @ParameterizedTest
    @CsvSource({"help, --help", "help stat, stat --help", "help help, help --help"})
    void shouldShowHelpByTheWordToo(final String args, final String option)
    {
        assertEquals(0, execute(args.split(" ")), error::toString);
        final String shown = output.toString();
        output.getBuffer().setLength(0);
        assertEquals(0, execute(option.split(" ")));

        assertEquals(output.toString(), shown);
        assertTrue(shown.startsWith("Usage: grim "), shown);
    }

    @Test
    void shouldPrintStackTraceOnRequest()
    {
        assertEquals(1, execute("nodes", "--stacktrace", "--directory", directory.toString()));

        assertTrue(error.toString().contains("at org.grim."), error.toString());
    }

    @Test
    void shouldSayInOneSentenceWhatIsWrongWithAPingPong()
    {
        assertRefused(2, "size=67108865 bytes is outside 0 to 67108864 of mode=am", "pingpong", "--sizes",
            "8,67108865");
        assertRefused(2, "size=0 bytes is outside 1 to 67108864 of mode=rm-v", "pingpong", "--mode", "rm-v", "--sizes",
            "0,8");
        assertRefused(2, "size=-1 bytes is outside 1 to 67108864 of mode=read", "pingpong", "--mode", "read", "--sizes",
            "-1");
        assertRefused(2, "--mode", "pingpong", "--mode", "rm");
        assertRefused(2, "--seconds=0.0 is outside 0.1 to 3600", "pingpong", "--seconds", "0");
        assertRefused(2, "--board=thread: transport=shmem has no boards", "pingpong", "--board", "thread");
        assertRefused(1, "transport=pigeon is unknown: known=[myrinet, null, shmem]", "pingpong", "--transport",
            "pigeon", "--directory", directory.toString());
    }

    @Test
    void shouldMeasureOneProcessAlone() throws IOException
    {
        final Path json = directory.resolve("null.json");

        assertEquals(0, execute("pingpong", "--transport", "null", "--seconds", "0.3", "--sizes", "0,33,65504",
            "--json", json.toString()), error::toString);

        final JsonNode rows = new ObjectMapper().readTree(json.toFile()).get("rows");
        assertEquals(3, rows.size());
        for (final JsonNode row : rows)
        {
            assertTrue(row.get("verified").asLong() > 0, row::toString);
            assertTrue(row.get("oneWayNs").get("p50").asDouble() > 0, row::toString);
        }
    }
}
