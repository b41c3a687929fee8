// SPDX-License-Identifier: Apache-2.0
package org.grim.group;

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

/** Groups stand on what core exports to them. */
@ArchTag("architecture")
@AnalyzeClasses(
    packages = {"org.grim.group", "org.grim.collective", "org.grim.multicast"},
    importOptions = ImportOption.DoNotIncludeTests.class)
final class GroupsArchitectureTest
{
    private static final String[] PACKAGES = {"org.grim.group", "org.grim.collective", "org.grim.multicast"};

    @ArchTest
    static final ArchRule API_KNOWS_THE_API = noClasses().that().resideInAPackage("org.grim.group")
        .should().dependOnClassesThat(resideInAPackage("org.grim..").and(not(resideInAnyPackage("org.grim",
        "org.grim.buffer", "org.grim.group"))));

    @ArchTest
    static final ArchRule OUTBOXES_KNOW_NO_GROUPS = noClasses().that().resideInAPackage("org.grim.multicast")
        .should().dependOnClassesThat().resideInAnyPackage("org.grim.group", "org.grim.collective");

    @ArchTest
    static final ArchRule EXPORTED_ONLY = noClasses().that().resideInAnyPackage(PACKAGES)
        .should().dependOnClassesThat(resideInAPackage("org.grim..").and(not(resideInAnyPackage(PACKAGES)))
        .and(not(resideInAnyPackage("org.grim", "org.grim.buffer", "org.grim.cluster", "org.grim.counters",
        "org.grim.endpoint", "org.grim.extension", "org.grim.memory", "org.grim.transport", "org.grim.wire"))));

    @ArchTest
    static final ArchRule FINAL = classes().that().resideInAnyPackage(PACKAGES).and().areNotInterfaces()
        .and().areNotEnums().and().areNotAnonymousClasses()
        .and().doNotHaveModifier(com.tngtech.archunit.core.domain.JavaModifier.ABSTRACT)
        .should().haveModifier(com.tngtech.archunit.core.domain.JavaModifier.FINAL);
}
