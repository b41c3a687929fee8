// SPDX-License-Identifier: Apache-2.0
package org.grim;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

/** The arrows of the design's map: who may know whom. */
@ArchTag("architecture")
@AnalyzeClasses(packages = "org.grim", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest
{
    @ArchTest
    static final ArchRule LAYERS = layeredArchitecture().consideringOnlyDependenciesInLayers()
        .layer("api").definedBy("org.grim")
        .layer("ground").definedBy("org.grim.buffer", "org.grim.crypto", "org.grim.text", "org.grim.thread")
        .layer("formats").definedBy("org.grim.wire", "org.grim.counters")
        .layer("spi").definedBy("org.grim.transport")
        .layer("queues").definedBy("org.grim.queue", "org.grim.loop", "org.grim.memory", "org.grim.cluster")
        .layer("sending").definedBy("org.grim.endpoint")
        .layer("services").definedBy("org.grim.large", "org.grim.remote", "org.grim.handlers", "org.grim.collective")
        .layer("node").definedBy("org.grim.node")
        .whereLayer("node").mayOnlyBeAccessedByLayers("api")
        .whereLayer("services").mayOnlyBeAccessedByLayers("node")
        .whereLayer("sending").mayOnlyBeAccessedByLayers("services", "node")
        .whereLayer("queues").mayOnlyBeAccessedByLayers("sending", "services", "node")
        .whereLayer("spi").mayOnlyBeAccessedByLayers("queues", "sending", "services", "node")
        .whereLayer("formats").mayOnlyBeAccessedByLayers("spi", "queues", "sending", "services", "node")
        .whereLayer("ground").mayOnlyBeAccessedByLayers("formats", "spi", "queues", "sending", "services", "node");

    @ArchTest
    static final ArchRule API_IMPORTS_NOTHING = noClasses().that().resideInAPackage("org.grim")
        .and().doNotHaveFullyQualifiedName("org.grim.Grim")
        .should().dependOnClassesThat(resideInAPackage("org.grim..").and(not(resideInAPackage("org.grim"))));

    @ArchTest
    static final ArchRule FRONT_DOOR = noClasses().that().haveFullyQualifiedName("org.grim.Grim")
        .should().dependOnClassesThat(resideInAPackage("org.grim..").and(not(resideInAnyPackage("org.grim",
            "org.grim.group", "org.grim.node"))));

    @ArchTest
    static final ArchRule GROUPS_KNOW_THE_API = noClasses().that().resideInAPackage("org.grim.group")
        .should().dependOnClassesThat(resideInAPackage("org.grim..").and(not(resideInAnyPackage("org.grim",
            "org.grim.buffer", "org.grim.group"))));

    @ArchTest
    static final ArchRule SPI_IMPORTS_THE_API_AND_THE_FORMAT = noClasses().that().resideInAPackage("org.grim.transport")
        .should().dependOnClassesThat(resideInAPackage("org.grim..").and(not(resideInAnyPackage("org.grim",
            "org.grim.transport", "org.grim.text", "org.grim.wire"))));

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
}
