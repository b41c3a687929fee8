// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/** MPI stands on the API, on settings, groups and the shared endpoint. */
@ArchTag("architecture")
@AnalyzeClasses(packages = "org.grim.mpi", importOptions = ImportOption.DoNotIncludeTests.class)
final class MpiArchitectureTest
{
    @ArchTest
    static final ArchRule EXPORTED_ONLY = noClasses().that().resideInAPackage("org.grim.mpi..")
        .should().dependOnClassesThat(resideInAPackage("org.grim..").and(not(resideInAnyPackage("org.grim",
        "org.grim.buffer", "org.grim.group", "org.grim.mpi..", "org.grim.shared", "org.grim.thread",
        "org.grim.transport"))));
}
