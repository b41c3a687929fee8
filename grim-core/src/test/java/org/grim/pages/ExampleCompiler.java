// SPDX-License-Identifier: Apache-2.0
package org.grim.pages;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Finds the programs in the documents, and compiles them. */
public final class ExampleCompiler
{
    private static final Pattern CLASS_NAME = Pattern.compile("public (?:final )?class (\\w+)");

    private ExampleCompiler()
    {
    }

    /** All blocks of a language in a document. */
    public static List<String> blocks(final String document, final String language) throws IOException
    {
        return Pattern.compile("```" + language + "\\R(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(find(document))).results().map(block -> block.group(1)).toList();
    }

    /** With the tests' class path. */
    public static void assertCompiles(final String program, final Path classes) throws IOException
    {
        assertCompiles(program, classes, System.getProperty("java.class.path"));
    }

    /** With a class path of its own. */
    public static void assertCompiles(final String program, final Path classes, final String classPath)
        throws IOException
    {
        final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        assertNotNull(compiler, "a JDK is needed, not a JRE");
        final DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        final List<String> options = List.of("-proc:none", "--release", "17", "-d", classes.toString(), "-classpath",
            classPath);

        final boolean isCompiled;
        try (StandardJavaFileManager files = compiler.getStandardFileManager(diagnostics, Locale.ROOT, UTF_8))
        {
            isCompiled = compiler.getTask(null, files, diagnostics, options, null, List.of(new Source(program))).call();
        }

        assertEquals(List.of(), errors(diagnostics));
        assertTrue(isCompiled);
    }

    private static List<String> errors(final DiagnosticCollector<JavaFileObject> diagnostics)
    {
        return diagnostics.getDiagnostics().stream()
            .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
            .map(diagnostic -> "line " + diagnostic.getLineNumber() + ": " + diagnostic.getMessage(Locale.ROOT))
            .toList();
    }

    /** Maven runs tests in the module's directory, other tools in the project's. */
    public static Path find(final String document)
    {
        Path directory = Path.of("").toAbsolutePath();
        while (directory != null && !Files.exists(directory.resolve(document)))
        {
            directory = directory.getParent();
        }
        assertNotNull(directory, "no " + document + " in or above " + Path.of("").toAbsolutePath());
        return directory.resolve(document);
    }

    private static String className(final String program)
    {
        final Matcher matcher = CLASS_NAME.matcher(program);
        assertTrue(matcher.find(), "the program has no public class");
        return matcher.group(1);
    }

    /** Source that stands in no file. */
    private static final class Source extends SimpleJavaFileObject
    {
        private final String text;

        Source(final String text)
        {
            super(URI.create("string:///" + className(text) + Kind.SOURCE.extension), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(final boolean ignoreEncodingErrors)
        {
            return text;
        }
    }
}
