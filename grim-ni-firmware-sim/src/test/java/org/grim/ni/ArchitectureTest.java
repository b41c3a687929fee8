// SPDX-License-Identifier: Apache-2.0
package org.grim.ni;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/** Dependencies inside the network interface, and of the network interface on the core. */
@ArchTag("architecture")
@AnalyzeClasses(packages = "org.grim.ni", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest
{
    private static final String[] OUTSIDE = {"java..", "org.agrona..", "org.grim.board", "org.grim.buffer",
        "org.grim.wire", "org.grim.ni.board"};

    @ArchTest
    static final ArchRule BOARD = knows("board", "org.grim");

    @ArchTest
    static final ArchRule WINDOW = knows("window");

    @ArchTest
    static final ArchRule EVENT = knows("event");

    @ArchTest
    static final ArchRule DEADLINE = knows("deadline");

    @ArchTest
    static final ArchRule CONTROL = knows("control", "org.grim.ni.deadline");

    @ArchTest
    static final ArchRule DELIVERY = knows("delivery", "org.grim", "org.grim.ni.control", "org.grim.ni.deadline",
        "org.grim.ni.event", "org.grim.ni.multicast", "org.grim.ni.window");

    @ArchTest
    static final ArchRule MEMORY = knows("memory", "org.grim");

    @ArchTest
    static final ArchRule MULTICAST = knows("multicast", "org.grim.ni.event", "org.grim.ni.memory");

    /** Replies of reads are written into a channel as a host writes, by the host's end of it. */
    @ArchTest
    static final ArchRule FIRMWARE =
        knows("firmware", "org.grim", "org.grim.board.host", "org.grim.ni.control", "org.grim.ni.delivery",
            "org.grim.ni.event", "org.grim.ni.memory", "org.grim.ni.multicast", "org.grim.ni.window");

    @ArchTest
    static final ArchRule WIRE = knows("wire", "org.grim", "org.grim.transport");

    @ArchTest
    static final ArchRule SERVICE = knows("service", "org.grim", "org.grim.transport", "org.grim.board.counters",
        "com.typesafe.config", "org.grim.ni.delivery", "org.grim.ni.event", "org.grim.ni.firmware",
        "org.grim.ni.memory", "org.grim.ni.multicast", "org.grim.ni.wire");

    @ArchTest
    static final ArchRule WIRE_HAS_NO_FILES_OF_ITS_OWN = noClasses().that().resideInAPackage("org.grim.ni.wire")
        .should().dependOnClassesThat(resideInAnyPackage("java.nio..", "java.io..", "java.util.concurrent..")
            .and(not(name("java.nio.file.Path"))));

    @ArchTest
    static final ArchRule WIRE_IS_UNKNOWN_TO_THE_FIRMWARE = noClasses().that()
        .resideInAnyPackage("org.grim.ni.board", "org.grim.ni.control", "org.grim.ni.deadline", "org.grim.ni.delivery",
            "org.grim.ni.event", "org.grim.ni.firmware", "org.grim.ni.memory", "org.grim.ni.multicast",
            "org.grim.ni.window")
        .should().dependOnClassesThat().resideInAnyPackage("org.grim.ni.service", "org.grim.ni.wire");

    @ArchTest
    static final ArchRule KNOWS_NO_HOST_SIDE = noClasses().that()
        .resideOutsideOfPackages("org.grim.ni.service", "org.grim.ni.wire").should().dependOnClassesThat()
        .resideInAnyPackage("org.grim.transport", "org.grim.queue", "org.grim.loop",
            "org.grim.board.counters", "org.grim.cluster", "org.grim.counters", "org.grim.loopback");

    @ArchTest
    static final ArchRule MEMORY_IN_ONE_PLACE = noClasses()
        .should().dependOnClassesThat().haveFullyQualifiedName("org.agrona.concurrent.UnsafeBuffer");

    private static ArchRule knows(final String room, final String... others)
    {
        final String own = "org.grim.ni." + room;
        return classes().that().resideInAPackage(own).should().onlyDependOnClassesThat()
            .resideInAnyPackage(java.util.stream.Stream.of(OUTSIDE, others, new String[]{own})
                .flatMap(java.util.Arrays::stream).toArray(String[]::new));
    }
}
