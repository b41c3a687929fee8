// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

import java.util.Map;

import org.grim.GrimConfig;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

final class LaunchTest
{
    @Test
    void shouldBeAloneWithoutALauncher()
    {
        final Launch launch = Launch.of(Map.of("PMI_RANK", "3"));

        assertEquals(new Launch(0, 1, "mpi-" + ProcessHandle.current().pid()), launch);
    }

    @Test
    void shouldPreferItsOwnLauncherInsideOfAnother()
    {
        assertEquals(new Launch(1, 2), Launch.of(Map.of("SLURM_PROCID", "0", "SLURM_NTASKS", "1", "GRIM_RUN_RANK", "1",
            "GRIM_RUN_SIZE", "2")));
    }

    @Test
    void shouldGiveEachJobAClusterOfItsOwnUnlessTheConfigurationNamesOne()
    {
        final Launch open = Launch.of(
            Map.of("OMPI_COMM_WORLD_RANK", "0", "OMPI_COMM_WORLD_SIZE", "2", "PMIX_NAMESPACE", "prte@1/2"));
        final Launch slurm = Launch.of(Map.of("SLURM_PROCID", "1", "SLURM_NTASKS", "8", "SLURM_STEP_NUM_TASKS", "2",
            "SLURM_JOB_ID", "7", "SLURM_STEP_ID", "3"));

        assertEquals(new Launch(0, 2, "mpi-prte-1-2"), open);
        assertEquals(new Launch(1, 2, "mpi-7-3"), slurm);
        assertEquals("mpi-7-3", slurm.node(GrimConfig.builder().build()).settings().get("grim.cluster.name"));
        assertEquals("a", slurm.node(GrimConfig.builder().set("grim.cluster.name", "a").build()).settings()
            .get("grim.cluster.name"));
    }

    @Test
    void shouldNameWhatIsWrong()
    {
        assertEquals("variable PMI_RANK=x is no whole number", assertThrows(IllegalArgumentException.class,
            () -> Launch.of(Map.of("PMI_RANK", "x", "PMI_SIZE", "2"))).getMessage());
        assertEquals("rank=2 of this process is outside 0 to 1",
            assertThrows(IllegalArgumentException.class, () -> new Launch(2, 2)).getMessage());
        assertEquals("processes=1025 of the job is outside 1 to 1024",
            assertThrows(IllegalArgumentException.class, () -> new Launch(2, 1025)).getMessage());
    }

    @Test
    void shouldKnowItsNodesByName()
    {
        assertEquals(17, Launch.rankOf(Launch.nodeName(17)));
        assertEquals(-1, Launch.rankOf("node-017"));
        assertEquals(-1, Launch.rankOf("tool-17"));
    }
}
