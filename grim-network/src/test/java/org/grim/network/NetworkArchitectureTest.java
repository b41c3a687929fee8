// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

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

/** The network stands on what core exports; what hosts agree on knows neither connections nor clocks. */
@ArchTag("architecture")
@AnalyzeClasses(packages = "org.grim.network", importOptions = ImportOption.DoNotIncludeTests.class)
final class NetworkArchitectureTest
{
    @ArchTest
    static final ArchRule EXPORTED_ONLY = noClasses().that().resideInAPackage("org.grim.network..")
        .should().dependOnClassesThat(resideInAPackage("org.grim..").and(not(resideInAnyPackage("org.grim",
        "org.grim.transport", "org.grim.buffer", "org.grim.cluster", "org.grim.counters", "org.grim.crypto",
        "org.grim.text", "org.grim.thread", "org.grim.network.."))));

    @ArchTest
    static final ArchRule CONSENSUS_WITHOUT_CONNECTIONS = noClasses().that()
        .resideInAPackage("org.grim.network.registry")
        .should().dependOnClassesThat().resideInAnyPackage("org.jgroups..", "org.grim.network", "org.grim.cluster")
        .orShould().callMethod(System.class, "nanoTime").orShould().callMethod(System.class, "currentTimeMillis");

    @ArchTest
    static final ArchRule FINAL = classes().that().resideInAPackage("org.grim.network..").and().areNotInterfaces()
        .and().areNotEnums().and().areNotAnonymousClasses()
        .should().haveModifier(com.tngtech.archunit.core.domain.JavaModifier.FINAL);
}
