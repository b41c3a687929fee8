// SPDX-License-Identifier: Apache-2.0
package org.grim.device;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/** Devices stand on what core exports to them. */
@ArchTag("architecture")
@AnalyzeClasses(packages = {"org.grim.device", "org.grim.stream"}, importOptions = ImportOption.DoNotIncludeTests.class)
final class DeviceArchitectureTest
{
    @ArchTest
    static final ArchRule EXPORTED_ONLY = noClasses().that()
        .resideInAnyPackage("org.grim.device..", "org.grim.stream").should().dependOnClassesThat(
        resideInAPackage("org.grim..").and(not(resideInAnyPackage("org.grim", "org.grim.buffer", "org.grim.device..",
        "org.grim.stream", "org.grim.thread"))));

    /** JNR-FFI may be missing, so one package knows it. */
    @ArchTest
    static final ArchRule NATIVE_IN_ONE_PACKAGE = noClasses().that().resideInAnyPackage("org.grim.device..",
        "org.grim.stream").and().resideOutsideOfPackage("org.grim.device.opencl")
        .should().dependOnClassesThat().resideInAnyPackage("jnr..", "com.kenai.jffi..");
}
