// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

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

/** The transport stands on what core exports. */
@ArchTag("architecture")
@AnalyzeClasses(packages = "org.grim.aeron", importOptions = ImportOption.DoNotIncludeTests.class)
final class AeronArchitectureTest
{
    @ArchTest
    static final ArchRule EXPORTED_ONLY = noClasses().that().resideInAPackage("org.grim.aeron..")
        .should().dependOnClassesThat(resideInAPackage("org.grim..").and(not(resideInAnyPackage("org.grim",
        "org.grim.transport", "org.grim.buffer", "org.grim.crypto", "org.grim.memory", "org.grim.thread",
        "org.grim.wire", "org.grim.aeron.."))));

    @ArchTest
    static final ArchRule FINAL = classes().that().resideInAPackage("org.grim.aeron..").and().areNotInterfaces()
        .and().areNotAnonymousClasses()
        .should().haveModifier(com.tngtech.archunit.core.domain.JavaModifier.FINAL);
}
