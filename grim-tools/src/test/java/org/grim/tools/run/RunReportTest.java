// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.run;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class RunReportTest
{
    private final LastLines lines = new LastLines();

    @Test
    void shouldNameRankHostCodeAndLastLines()
    {
        lines.add(2, "first");
        lines.add(3, "of another");
        lines.add(2, "last");

        assertEquals(List.of("rank 2 on host b ended with exit code=3", "  [2] first", "  [2] last"),
            RunReport.failure(2, "b", 3, lines));
    }

    @Test
    void shouldNameSignalsAndMissingCommands()
    {
        assertEquals("was ended by signal 9 (KILL): exit code=137", RunReport.end(137));
        assertEquals("was ended by signal 11 (SEGV): exit code=139", RunReport.end(139));
        assertEquals("ended with exit code=127 (command not found)", RunReport.end(127));
        assertEquals("ended with exit code=200", RunReport.end(200));
    }

    @Test
    void shouldFindTheRankInWhatSrunSays()
    {
        lines.add(RunPlan.ALL_RANKS, "srun: error: node7: task 3: Exited with exit code 5");
        lines.add(RunPlan.ALL_RANKS, "srun: error: node8: tasks 4-5: Terminated");
        lines.add(3, "bad");

        assertEquals(List.of("rank 3 on host node7 ended, as srun says: Exited with exit code 5", "  [3] bad"),
            RunReport.failure(RunPlan.ALL_RANKS, "localhost", 143, lines));
        assertEquals(5, RunReport.taskCode(143, lines));
    }

    @Test
    void shouldShowWhatSrunSaysWhenItNamesNoTask()
    {
        lines.add(RunPlan.ALL_RANKS, "srun: error: Unable to allocate resources");

        assertEquals(List.of("srun ended with exit code=1", "  srun: error: Unable to allocate resources"),
            RunReport.failure(RunPlan.ALL_RANKS, "localhost", 1, lines));
        assertEquals(1, RunReport.taskCode(1, lines));
        lines.add(RunPlan.ALL_RANKS, "srun: error: node7: task 0: Killed");
        assertEquals(137, RunReport.taskCode(143, lines));
    }

    @Test
    void shouldKeepTheLastTenLinesAndCutLongOnes()
    {
        for (int i = 0; i < 25; i++)
        {
            lines.add(0, "line " + i);
        }
        lines.add(1, "x".repeat(1_000));

        assertEquals(10, lines.of(0).size());
        assertEquals("line 15", lines.of(0).get(0));
        assertEquals(LastLines.LENGTH_MAX + 3, lines.of(1).get(0).length());
    }

    @Test
    void shouldNameRanksThatWereKilled()
    {
        assertEquals("", RunReport.killed(List.of(), 5));
        assertEquals("; not ended within 5 s, and killed: ranks=1,3", RunReport.killed(List.of(1, 3), 5));
        assertEquals("; not ended within 5 s, and killed: srun", RunReport.killed(List.of(RunPlan.ALL_RANKS), 5));
    }
}
