// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem;

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

/** Shared memory stands on what core exports. */
@ArchTag("architecture")
@AnalyzeClasses(packages = "org.grim.shmem", importOptions = ImportOption.DoNotIncludeTests.class)
final class ShmemArchitectureTest
{
    @ArchTest
    static final ArchRule EXPORTED_ONLY = noClasses().that().resideInAPackage("org.grim.shmem")
        .should().dependOnClassesThat(resideInAPackage("org.grim..").and(not(resideInAnyPackage("org.grim",
        "org.grim.transport", "org.grim.buffer", "org.grim.queue", "org.grim.wire", "org.grim.shmem"))));

    @ArchTest
    static final ArchRule NO_NATIVE_CALLS =
        noClasses().should().dependOnClassesThat().resideInAnyPackage("jnr..", "com.kenai.jffi..");

    @ArchTest
    static final ArchRule FINAL = classes().that().resideInAPackage("org.grim.shmem").and().areNotInterfaces()
        .should().haveModifier(com.tngtech.archunit.core.domain.JavaModifier.FINAL);
}
