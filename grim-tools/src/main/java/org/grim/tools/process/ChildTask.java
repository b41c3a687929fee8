// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.process;

import java.io.IOException;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * The work of a second JVM: a record, which goes there as JSON on its command line.
 * <p>Thread: main of that JVM.
 */
public interface ChildTask
{
    /** Name of the hidden command that runs a task. */
    String COMMAND = "child";

    /** Components only: nothing that a record computes is written. */
    ObjectMapper MAPPER = new ObjectMapper().setVisibility(PropertyAccessor.ALL, Visibility.NONE)
        .setVisibility(PropertyAccessor.FIELD, Visibility.ANY)
        .setVisibility(PropertyAccessor.CREATOR, Visibility.ANY);

    /**
     * Runs the task.
     *
     * @throws IOException if a file or a connection fails.
     */
    void run() throws IOException;

    /** {@return the arguments of the command that runs this task} */
    default String[] arguments()
    {
        try
        {
            return new String[] {COMMAND, getClass().getName(), MAPPER.writeValueAsString(this)};
        }
        catch (final JsonProcessingException ex)
        {
            throw new IllegalStateException(this + " is not JSON", ex);
        }
    }

    /**
     * Reads a task.
     *
     * @param type name of its class.
     * @param json its components.
     * @return the task.
     */
    static ChildTask read(final String type, final String json)
    {
        try
        {
            return MAPPER.readValue(json, Class.forName(type).asSubclass(ChildTask.class));
        }
        catch (final JsonProcessingException | ClassNotFoundException | ClassCastException ex)
        {
            throw new IllegalArgumentException(type + " is no task: " + ex.getMessage(), ex);
        }
    }
}
