// SPDX-License-Identifier: Apache-2.0
package org.grim.example;

import org.grim.StructureContract;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

/** Programs of this module are written with what users have. */
@ArchTag("architecture")
@AnalyzeClasses(packages = "org.grim.example", importOptions = DoNotIncludeTests.class)
final class ExampleArchitectureTest extends StructureContract
{
    @ArchTest
    static final ArchRule PROGRAMS_USE_THE_PUBLIC_API = classes().that()
        .resideInAnyPackage("org.grim.example", "org.grim.example.mpi").should().onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "org.agrona..", "org.grim", "org.grim.group", "org.grim.metrics",
            "org.grim.example", "mpi", "com.sun.net.httpserver", "io.micrometer..");

    ExampleArchitectureTest()
    {
        super("grim-examples/target/classes", "org.grim.example", "org.grim.example.cli", "org.grim.example.copy",
            "org.grim.example.mpi");
    }
}
