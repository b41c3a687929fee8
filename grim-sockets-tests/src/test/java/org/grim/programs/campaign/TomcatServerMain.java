// SPDX-License-Identifier: Apache-2.0
package org.grim.programs.campaign;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.grim.programs.Answer;
import org.grim.programs.ServerPort;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/** Tomcat: answers as {@link Answer} says; the long body it sends from a file. */
public final class TomcatServerMain
{
    private TomcatServerMain()
    {
    }

    public static void main(final String[] args) throws Exception
    {
        final Path directory = Files.createTempDirectory("tomcat");
        directory.toFile().deleteOnExit();
        final Path file = directory.resolve("long");
        Files.write(file, Answer.to(Answer.LONG_PATH));
        file.toFile().deleteOnExit();
        final Tomcat server = new Tomcat();
        server.setBaseDir(directory.toString());
        final Connector connector = new Connector();
        connector.setProperty("address", args[0]);
        connector.setPort(0);
        server.setConnector(connector);
        final Context context = server.addContext("", null);
        Tomcat.addServlet(context, "answer", new AnswerServlet(file));
        context.addServletMappingDecoded("/*", "answer");
        server.start();
        ServerPort.printAndAwaitEnd(connector.getLocalPort());
    }

    private static final class AnswerServlet extends HttpServlet
    {
        private static final long serialVersionUID = 1;

        private final transient Path file;

        AnswerServlet(final Path file)
        {
            this.file = file;
        }

        @Override
        protected void doPost(final HttpServletRequest request, final HttpServletResponse response) throws IOException
        {
            response.getOutputStream().write(request.getInputStream().readAllBytes());
        }

        @Override
        protected void doGet(final HttpServletRequest request, final HttpServletResponse response) throws IOException
        {
            final String path = request.getRequestURI();
            if (path.equals(Answer.LONG_PATH) &&
                Boolean.TRUE.equals(request.getAttribute("org.apache.tomcat.sendfile.support")))
            {
                response.setContentLengthLong(Files.size(file));
                request.setAttribute("org.apache.tomcat.sendfile.filename", file.toString());
                request.setAttribute("org.apache.tomcat.sendfile.start", 0L);
                request.setAttribute("org.apache.tomcat.sendfile.end", Files.size(file));
            }
            else
            {
                response.getOutputStream().write(Answer.to(path));
            }
        }
    }
}
