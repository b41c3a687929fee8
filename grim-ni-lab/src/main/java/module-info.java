// SPDX-License-Identifier: Apache-2.0
/**
 * The laboratory of GRIM's network interface: simulated clusters, explorer, timing model, scale runs, traces. Not
 * published; its packages are for GRIM's command line and benchmarks.
 */
@SuppressWarnings("module")         // The command line, which the exports name, is no module.
module org.grim.ni.lab
{
    requires transitive org.agrona;
    requires transitive org.grim.ni;

    exports org.grim.ni.clock to org.grim.bench;
    exports org.grim.ni.explorer to org.grim.bench;
    exports org.grim.ni.fabric to org.grim.bench;
    exports org.grim.ni.guard to org.grim.bench;
    exports org.grim.ni.model to org.grim.bench;
    exports org.grim.ni.scale to org.grim.bench;
    exports org.grim.ni.simulation to org.grim.bench;
    exports org.grim.ni.simulation.scenario to org.grim.bench;
    exports org.grim.ni.timing to org.grim.bench;
    exports org.grim.ni.trace to org.grim.bench;
}
