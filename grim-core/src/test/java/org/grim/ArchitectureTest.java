// SPDX-License-Identifier: Apache-2.0
package org.grim;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/** The arrows of the design's map: who may know whom. */
@ArchTag("architecture")
@AnalyzeClasses(packages = "org.grim", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest
{
    private static final DescribedPredicate<JavaClass> VALUES = equivalentTo(EndpointId.class)
        .or(equivalentTo(SendStatus.class)).or(equivalentTo(RejectReason.class)).or(equivalentTo(GrimException.class))
        .or(equivalentTo(NodeState.class)).or(equivalentTo(NodeInfo.class)).or(equivalentTo(DeviceKind.class))
        .or(equivalentTo(MemoryRegion.class)).or(equivalentTo(MemoryRights.class)).or(equivalentTo(RemoteRead.class))
        .or(equivalentTo(RemoteRefusal.class)).or(equivalentTo(RemoteRefusal[].class))
        .as("value types of org.grim");

    @ArchTest
    static final ArchRule TEXT = noClasses().that().resideInAPackage("org.grim.text").should()
        .dependOnClassesThat(resideInAPackage("org.grim..").and(not(resideInAPackage("org.grim.text"))));

    @ArchTest
    static final ArchRule WIRE = knowsOnly("wire", VALUES);

    @ArchTest
    static final ArchRule BUFFER = knowsOnly("buffer", equivalentTo(GrimException.class));

    @ArchTest
    static final ArchRule TRANSPORT = knowsOnly("transport", VALUES);

    @ArchTest
    static final ArchRule QUEUE =
        knowsOnly("queue", VALUES.or(resideInAnyPackage("org.grim.buffer", "org.grim.transport", "org.grim.wire")));

    @ArchTest
    static final ArchRule MEMORY =
        knowsOnly("memory", VALUES.or(resideInAnyPackage("org.grim.buffer", "org.grim.queue", "org.grim.transport")));

    @ArchTest
    static final ArchRule FRAGMENT = knowsOnly("fragment", VALUES.or(equivalentTo(MemoryRegion.class))
        .or(resideInAnyPackage("org.grim.buffer", "org.grim.transport", "org.grim.wire")));

    @ArchTest
    static final ArchRule LOOP =
        knowsOnly("loop", VALUES.or(resideInAnyPackage("org.grim.buffer", "org.grim.transport")));

    @ArchTest
    static final ArchRule LOOPBACK = knowsOnly("loopback",
        VALUES.or(resideInAnyPackage("org.grim.buffer", "org.grim.queue", "org.grim.transport")));

    @ArchTest
    static final ArchRule CLUSTER =
        knowsOnly("cluster", VALUES.or(resideInAnyPackage("org.grim.buffer", "org.grim.transport")));

    @ArchTest
    static final ArchRule COUNTERS = knowsOnly("counters",
        equivalentTo(RejectReason.class).or(equivalentTo(RemoteRefusal.class)).or(equivalentTo(GrimException.class))
            .or(resideInAPackage("org.grim.buffer")));

    @ArchTest
    static final ArchRule CONDUCTED_BY_THE_API_ALONE = noClasses()
        .that().resideOutsideOfPackages("org.grim", "org.grim.loop", "org.grim.cluster", "org.grim.counters")
        .should().dependOnClassesThat().resideInAnyPackage("org.grim.loop", "org.grim.cluster", "org.grim.counters");

    @ArchTest
    static final ArchRule MEMORY_IN_ONE_PLACE = noClasses().that().resideOutsideOfPackage("org.grim.buffer")
        .should().dependOnClassesThat().haveFullyQualifiedName("org.agrona.concurrent.UnsafeBuffer")
        .orShould().dependOnClassesThat().haveFullyQualifiedName("org.agrona.UnsafeApi");

    @ArchTest
    static final ArchRule NO_TRANSPORT_BY_NAME = noClasses()
        .that().resideOutsideOfPackage("org.grim.loopback")
        .should().dependOnClassesThat().resideInAnyPackage("org.grim.loopback", "org.grim.shmem", "org.grim.myrinet");

    @ArchTest
    static final ArchRule FINAL_INSIDE = classes().that().resideOutsideOfPackages("org.grim", "org.grim.transport")
        .and().areNotInterfaces().and().areNotEnums().and().areNotAnonymousClasses()
        .and().doNotHaveModifier(com.tngtech.archunit.core.domain.JavaModifier.ABSTRACT)
        .should().haveModifier(com.tngtech.archunit.core.domain.JavaModifier.FINAL);

    private static ArchRule knowsOnly(final String room, final DescribedPredicate<JavaClass> others)
    {
        final String name = "org.grim." + room;
        return noClasses().that().resideInAPackage(name).should().dependOnClassesThat(
            resideInAPackage("org.grim..").and(not(resideInAnyPackage(name, "org.grim.text"))).and(not(others)));
    }
}
