// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.grim.bench.all.Comparison;
import org.grim.tools.cli.GrimProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;

import static java.nio.file.attribute.PosixFilePermission.OWNER_EXECUTE;
import static java.nio.file.attribute.PosixFilePermission.OWNER_READ;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Tag("process")
@Tag("long")
@Timeout(240)
final class BenchMemoryProcessIT
{
    private static final String UCX_OUTPUT = "iterations,50.0_percentile_lat,avg_lat,overall_lat,avg_bw,overall_bw\\n" +
        "1000,0.172,0.18,0.18,40,40.5\\n";

    @TempDir
    private Path directory;

    @Test
    void shouldMeasureEveryPeerAndLeaveNothing() throws Exception
    {
        final JsonNode rows = measure("", "8,65536,1048576");

        if (Comparison.isComparable())
        {
            // 3 sizes: put-latency 4 peers, put-bandwidth 4, get 3 each; large-message 4 at one size.
            assertEquals(3 * (4 + 4 + 3 + 3) + 4, rows.size());
            assertEquals(Set.of("put-latency", "put-bandwidth", "get-latency", "get-bandwidth", "large-message"),
                ComparisonRows.texts(rows, "benchmark"));
            assertEquals(Set.of("grim-rm-p", "grim-rm-v", "raw", "copy-flag", "copy-memory", "copy-mapped", "grim",
                "aeron-ipc"), ComparisonRows.texts(rows, "peer"));
            assertEquals(Set.of("ignore"), ComparisonRows.texts(rows, "mode"));
            rows.forEach(row -> ComparisonRows.assertRow(row, 2));
        }
    }

    @Test
    void shouldMeasureOthersWhereTheyAreInstalled() throws Exception
    {
        final Path program = directory.resolve("ucx_perftest");
        Files.writeString(program, "#!/bin/sh\nprintf '" + UCX_OUTPUT + "'\n");
        Files.setPosixFilePermissions(program, Set.of(OWNER_READ, OWNER_EXECUTE));

        final JsonNode rows = measure(directory + File.pathSeparator, "8");

        if (Comparison.isComparable())
        {
            final Set<String> seen = new HashSet<>();
            for (final JsonNode row : rows)
            {
                if (row.get("peer").asText().equals("ucx"))
                {
                    seen.add(row.get("benchmark").asText() + " " + row.get("median").asDouble());
                }
            }
            assertEquals(Set.of("put-latency 172.0", "put-bandwidth 0.04247", "get-latency 172.0",
                "get-bandwidth 0.04247"), seen);
        }
    }

    private JsonNode measure(final String path, final String sizes) throws Exception
    {
        final Path files = directory.resolve("f");
        final Path json = directory.resolve("bench.json");
        final List<String> command = GrimProcess.java();
        command.addAll(List.of("-jar", System.getProperty("build.jar"), "bench", "memory", "--quick", "--rounds", "2",
            "--round-ms", "2", "--sizes", sizes, "--directory", files.toString(), "--json", json.toString()));
        final ProcessBuilder builder = new ProcessBuilder(command);
        // Only what the test puts there, and taskset.
        builder.environment().put("PATH", path + withoutOthers());
        try (GrimProcess grim = GrimProcess.start(directory, builder))
        {
            assertEquals(0, grim.exitCode(), grim.error());
            assertEquals(path.isEmpty(), grim.output().contains("ucx: absent"), grim.output());
            assertEquals(!Comparison.isComparable(), grim.output().contains("not comparable"), grim.output());
        }
        GrimProcess.assertNothingLeft(files);
        return ComparisonRows.read(json);
    }

    /** A directory with nothing but links to the tools that the command uses, so that an installed UCX is not found. */
    private String withoutOthers() throws IOException
    {
        final Path tools = Files.createDirectories(directory.resolve("tools"));
        for (final String tool : List.of("taskset", "sh", "printf", "git"))
        {
            final Path program = Path.of("/usr/bin", tool);
            if (Files.isExecutable(program))
            {
                final Path wrapper = Files.writeString(tools.resolve(tool), "#!/bin/sh\nexec " + program + " \"$@\"\n");
                Files.setPosixFilePermissions(wrapper, Set.of(OWNER_READ, OWNER_EXECUTE));
            }
        }
        assertTrue(Files.isDirectory(tools));
        return tools.toString();
    }
}
