// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** The script that judges programs of others, with programs that need no MPI: they run alone. */
@Tag("process")
@Timeout(240)
final class SuitesScriptIT
{
    private static final String PRINT =
        "new java.io.PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out)).println";

    @TempDir
    private Path directory;

    @Test
    void shouldSayOfEachProgramWhetherItPasses() throws Exception
    {
        program("one/Good", "", "Helper.help();");
        program("one/Wrong", "", PRINT + "(\"ERROR in the data\");");
        program("one/Silent", "", "if (args.length > 0) " + PRINT + "(\"TEST COMPLETE\");");
        program("one/Ends", "", PRINT + "(\"so be it\"); System.exit(3);");
        program("one/Broken", "", "Missing.call();");
        program("two/Three", "package two;", PRINT + "(Integer.getInteger(\"ranks\") == 3 ? " +
            "\"TEST COMPLETE\" : \"two->2: MUST RUN WITH 3 TASKS\");");
        program("two/Few", "package two;", PRINT + "(Integer.getInteger(\"ranks\") == 2 ? " +
            "\"TEST COMPLETE\" : \"Few must run with less than 8 tasks\");");
        program("two/abort", "package two;", "// This program tests MPI_ABORT.\nSystem.exit(5);");
        program("one/todo/Later", "", "not Java");
        source("common/Helper", "public class Helper { static void help() { } }");

        final Path output = directory.resolve("output");
        final Process process = new ProcessBuilder("src/test/scripts/suites", directory.toString(), "4", "", "none.jar",
            "java", "-XX:TieredStopAtLevel=1", "-Dranks=%n", "-cp", "%c").redirectOutput(output.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD).start();

        assertEquals(1, process.waitFor());
        assertEquals(List.of("one: 1 of 5", "two: 3 of 3", "all: 4 of 8", "apart, todo: 0 of 1",
            "one/Ends failed: so be it", "one/Silent failed: does not print \"TEST COMPLETE\"; last line:",
            "one/Wrong failed: ERROR in the data",
            "one/Broken uncompiled: cannot find symbol: variable Missing",
            "one/todo/Later uncompiled (todo): ';' expected:"), Files.readAllLines(output));
    }

    private void program(final String name, final String head, final String body) throws IOException
    {
        source(name, head + "public class " + name.substring(name.lastIndexOf('/') + 1) +
            "\n{\n    public static void main(String[] args) throws Exception\n    {\n" + body + "\n    }\n}\n");
    }

    private void source(final String name, final String text) throws IOException
    {
        final Path file = directory.resolve(name + ".java");
        Files.createDirectories(file.getParent());
        Files.writeString(file, text, UTF_8);
    }
}
