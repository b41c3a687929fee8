// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/** Dependencies inside the laboratory, and of the laboratory on the network interface. */
@ArchTag("architecture")
@AnalyzeClasses(packages = "org.grim.ni", importOptions = ImportOption.DoNotIncludeTests.class)
final class LabArchitectureTest
{
    private static final String[] OUTSIDE = {"java..", "org.agrona..", "org.grim.board", "org.grim.buffer",
        "org.grim.wire", "org.grim.ni.board"};

    @ArchTest
    static final ArchRule CLOCK = knows("clock");

    @ArchTest
    static final ArchRule FABRIC = knows("fabric", "org.grim", "org.grim.ni.clock", "org.grim.ni.trace");

    @ArchTest
    static final ArchRule GUARD = knows("guard", "org.grim.ni.delivery", "org.grim.ni.event", "org.grim.ni.fabric",
        "org.grim.ni.firmware", "org.grim.ni.memory", "org.grim.ni.multicast", "org.grim.ni.window");

    @ArchTest
    static final ArchRule TIMING = knows("timing", "org.grim", "org.grim.ni.clock");

    @ArchTest
    static final ArchRule MODEL = knows("model", "org.grim.ni.clock", "org.grim.ni.timing");

    @ArchTest
    static final ArchRule EXPLORER = knows("explorer", "org.grim.ni.guard", "org.grim.ni.multicast",
        "org.grim.ni.window");

    @ArchTest
    static final ArchRule TRACE = knows("trace", "org.grim");

    @ArchTest
    static final ArchRule SCENARIO = knows("simulation.scenario", "org.grim.ni.fabric");

    /** Not the firmware: a checker that computed as it does would share its mistakes. */
    @ArchTest
    static final ArchRule CHECK = knows("simulation.check", "org.grim.ni.clock", "org.grim.ni.event",
        "org.grim.ni.fabric", "org.grim.ni.trace", "org.grim.ni.simulation.scenario");

    /** Simulated hosts use the host's end of a board, here and in scale runs. */
    @ArchTest
    static final ArchRule CLUSTER = knows("simulation.cluster", "org.grim", "org.grim.board.host",
        "org.grim.ni.clock", "org.grim.ni.delivery", "org.grim.ni.event", "org.grim.ni.fabric",
        "org.grim.ni.firmware", "org.grim.ni.guard", "org.grim.ni.multicast", "org.grim.ni.timing",
        "org.grim.ni.trace", "org.grim.ni.simulation.check", "org.grim.ni.simulation.scenario");

    @ArchTest
    static final ArchRule SCALE = knows("scale", "org.grim", "org.grim.board.host", "org.grim.ni.clock",
        "org.grim.ni.delivery", "org.grim.ni.event", "org.grim.ni.fabric", "org.grim.ni.firmware",
        "org.grim.ni.timing");

    @ArchTest
    static final ArchRule SIMULATION = knows("simulation", "org.grim.ni.clock", "org.grim.ni.fabric",
        "org.grim.ni.guard", "org.grim.ni.trace", "org.grim.ni.simulation.check", "org.grim.ni.simulation.cluster",
        "org.grim.ni.simulation.scenario");

    @ArchTest
    static final ArchRule SIMULATION_ON_TOP = noClasses().that()
        .resideOutsideOfPackages("org.grim.ni.simulation..", "org.grim.ni.lab..")
        .should().dependOnClassesThat().resideInAPackage("org.grim.ni.simulation..");

    private static ArchRule knows(final String room, final String... others)
    {
        final String own = "org.grim.ni." + room;
        return classes().that().resideInAPackage(own).should().onlyDependOnClassesThat()
            .resideInAnyPackage(java.util.stream.Stream.of(OUTSIDE, others, new String[]{own})
                .flatMap(java.util.Arrays::stream).toArray(String[]::new));
    }
}
