// SPDX-License-Identifier: Apache-2.0
package org.grim.network.launcher;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.grim.GrimConfig;
import org.grim.transport.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Settings from environments as launchers make them, and environments that are refused. */
final class LauncherTest
{
    private static final Map<String, String> SLURM = Map.of("SLURM_PROCID", "3", "SLURM_STEP_NUM_TASKS", "8",
        "SLURM_NTASKS", "9", "SLURMD_NODENAME", "n02", "SLURM_STEP_NODELIST", "n[01-02]", "SLURM_JOB_NODELIST",
        "n[01-09]");
    private static final Map<String, String> OPENMPI = Map.of("OMPI_COMM_WORLD_RANK", "1", "OMPI_COMM_WORLD_SIZE", "4",
        "OMPI_COMM_WORLD_LOCAL_SIZE", "2", "PMIX_HOSTNAME", "left", "PMIX_RANK", "1");
    private static final Map<String, String> POD = Map.of("HOSTNAME", "video-3");

    @Test
    void shouldExpandListsOfHosts()
    {
        assertEquals(List.of("n01", "n02", "n03", "n07"), HostList.expand("n[01-03,07]"));
        assertEquals(List.of("login", "a9-ib", "a10-ib", "z"), HostList.expand("login,a[9-10]-ib,z"));
        assertEquals(List.of("r1n1", "r1n2", "r2n1", "r2n2"), HostList.expand("r[1-2]n[1-2]"));
        assertEquals(1000, HostList.expand("n[000-999]").size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "n[1-2", "n1-2]", "n[2-1]", "n[a]", "n[]", "a,,b", "a,", "n[1,,2]", "n[[1]]",
        "n[0-1000]", "n[1-999999999]", "n[1-9999999999]"})
    void shouldRefuseWhatIsNoListOfHosts(final String list)
    {
        final Map<String, String> environment = with(SLURM, "SLURM_STEP_NODELIST", list);

        final String text = refusal(Map.of("grim.launcher", "slurm"), environment);

        assertTrue(text.startsWith("SLURM_STEP_NODELIST=" + list + " "), text);
        assertTrue(text.endsWith("(grim.launcher=slurm)"), text);
    }

    @Test
    void shouldFollowSlurm()
    {
        final Map<String, Object> all = Map.of("grim.node.name", "node-3", "grim.cluster.size", 8, "grim.node.host",
            "n02", "grim.network.bind", "n02:7900", "grim.network.discovery.hosts", List.of("n01", "n02"));
        assertEquals(all, read(Map.of("grim.launcher", "slurm"), SLURM));
        assertEquals(all, read(Map.of("grim.launcher", "auto"), SLURM));
        assertEquals(Map.of("grim.node.name", "node-3", "grim.cluster.size", 8), read(Map.of("grim.launcher", "slurm",
            "grim.cluster.size", 8), with(SLURM, "SLURM_STEP_NODELIST", "n02")));
        assertEquals(Map.of("grim.node.name", "node-3", "grim.cluster.size", 8), read(Map.of("grim.launcher", "slurm",
            "grim.node.host", "x", "grim.network.bind", "10.0.0.2:7900", "grim.network.discovery.directory", "/shared"),
            SLURM));
        assertEquals("n02:8000", read(Map.of("grim.launcher", "slurm", "grim.network.bind", "127.0.0.1:8000"),
            SLURM).get("grim.network.bind"));
    }

    @Test
    void shouldFollowOpenMpi()
    {
        final Map<String, Object> ofOneHost = Map.of("grim.node.name", "node-1", "grim.cluster.size", 4);
        assertEquals(ofOneHost, read(Map.of("grim.launcher", "auto"), with(OPENMPI, "OMPI_COMM_WORLD_LOCAL_SIZE",
            "4")));
        assertEquals("left", read(Map.of("grim.launcher", "openmpi", "grim.network.discovery.hosts", List.of("left")),
            OPENMPI).get("grim.node.host"));
        final Map<String, String> inSlurm = new HashMap<>(SLURM);
        inSlurm.putAll(OPENMPI);
        assertEquals(List.of("n01", "n02"),
            read(Map.of("grim.launcher", "auto"), inSlurm).get("grim.network.discovery.hosts"));
        assertTrue(refusal(Map.of("grim.launcher", "openmpi"), OPENMPI).startsWith("there are processes on other " +
            "hosts (OMPI_COMM_WORLD_LOCAL_SIZE=2 OMPI_COMM_WORLD_SIZE=4), and Open MPI does not say which"));
    }

    @Test
    void shouldFollowAStatefulSet()
    {
        final Map<String, Object> settings = Map.of("grim.launcher", "statefulset", "grim.cluster.size", 4,
            "grim.network.discovery.dns", "video.default.svc");
        assertEquals(Map.of("grim.node.name", "video-3", "grim.node.host", "video-3", "grim.network.bind",
            "video-3:7900"), read(settings, POD));
        assertEquals("HOSTNAME number=4 is not below the cluster's size=4 (grim.launcher=statefulset)",
            refusal(settings, Map.of("HOSTNAME", "video-4")));
        assertEquals("HOSTNAME=video is not NAME-NUMBER, as pods of a StatefulSet are named " +
            "(grim.launcher=statefulset)", refusal(settings, Map.of("HOSTNAME", "video")));
        assertEquals("grim.network.discovery.dns is to name the headless service of the StatefulSet " +
            "(grim.launcher=statefulset)", refusal(Map.of("grim.launcher", "statefulset"), POD));
    }

    @Test
    void shouldRefuseContradictions()
    {
        final Map<String, Object> slurm = Map.of("grim.launcher", "slurm");
        assertEquals("grim.node.name=mine contradicts the launcher, which says node-3 (grim.launcher=slurm): leave " +
            "that key out, or set grim.launcher = none", refusal(Map.of("grim.launcher", "slurm", "grim.node.name",
            "mine"), SLURM));
        assertEquals("grim.cluster.size=4 contradicts the launcher, which says 8 (grim.launcher=slurm): leave that " +
            "key out, or set grim.launcher = none", refusal(Map.of("grim.launcher", "slurm", "grim.cluster.size", 4),
            SLURM));
        assertEquals("environment has no SLURM_PROCID (grim.launcher=slurm): was the process started by that launcher?",
            refusal(slurm, Map.of()));
        assertEquals("SLURM_PROCID=-1 is not a number from 0 to 4096 (grim.launcher=slurm)",
            refusal(slurm, with(SLURM, "SLURM_PROCID", "-1")));
        assertEquals("rank number=8 is not below the cluster's size=8 (grim.launcher=slurm)",
            refusal(slurm, with(SLURM, "SLURM_PROCID", "8")));
        assertEquals("SLURMD_NODENAME=n03 is not in SLURM_STEP_NODELIST=n[01-02] (grim.launcher=slurm)",
            refusal(slurm, with(SLURM, "SLURMD_NODENAME", "n03")));
    }

    @Test
    void shouldDoNothingUnlessAsked()
    {
        assertEquals(Map.of(), read(Map.of(), SLURM));
        assertEquals(Map.of(), read(Map.of("grim.launcher", "auto"), POD));
        assertTrue(assertThrows(IllegalArgumentException.class, () ->
            GrimConfig.builder().set("grim.launcher", "torque").build()).getMessage().startsWith(
            "grim.launcher=torque is not one of none, auto, slurm, openmpi, statefulset"));
    }

    private static Map<String, Object> read(final Map<String, Object> settings, final Map<String, String> environment)
    {
        final Map<String, Object> all = new HashMap<>(Map.of("grim.launcher", "none", "grim.node.name", "",
            "grim.node.host", "local", "grim.cluster.size", 0, "grim.network.bind", "127.0.0.1:7900",
            "grim.network.discovery.hosts", List.of(), "grim.network.discovery.dns", "",
            "grim.network.discovery.directory", "", "grim.network.discovery.xml", ""));
        all.putAll(settings);
        return Launcher.settings(new Settings(all), environment);
    }

    private static String refusal(final Map<String, Object> settings, final Map<String, String> environment)
    {
        return assertThrows(IllegalArgumentException.class, () -> read(settings, environment)).getMessage();
    }

    private static Map<String, String> with(
        final Map<String, String> environment, final String variable, final String value)
    {
        final Map<String, String> changed = new HashMap<>(environment);
        changed.put(variable, value);
        return changed;
    }
}
