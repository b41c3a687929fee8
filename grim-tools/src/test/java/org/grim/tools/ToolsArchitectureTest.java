// SPDX-License-Identifier: Apache-2.0
package org.grim.tools;

import org.grim.StructureContract;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

@ArchTag("architecture")
@AnalyzeClasses(packages = "org.grim.tools", importOptions = DoNotIncludeTests.class)
final class ToolsArchitectureTest extends StructureContract
{
    @ArchTest
    static final ArchRule ONLY_THE_COMMANDS_KNOW_PICOCLI = noClasses().that()
        .resideOutsideOfPackage("org.grim.tools.cli").should().dependOnClassesThat().resideInAPackage("picocli..");

    ToolsArchitectureTest()
    {
        super("grim-tools/target/classes", "org.grim.tools", "org.grim.tools.boards", "org.grim.tools.cli",
            "org.grim.tools.connections", "org.grim.tools.demo", "org.grim.tools.demo.video", "org.grim.tools.doctor",
            "org.grim.tools.observe", "org.grim.tools.pair", "org.grim.tools.pair.peers", "org.grim.tools.pingpong",
            "org.grim.tools.pipelines", "org.grim.tools.process", "org.grim.tools.replay", "org.grim.tools.report",
            "org.grim.tools.run");
    }
}
