// SPDX-License-Identifier: Apache-2.0
package com.example.prices;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** A web application that is a node of a GRIM cluster. */
@SpringBootApplication
public class Application
{
    /** Starts it: {@code --grim.node=NAME --server.port=PORT}. */
    public static void main(final String[] args)
    {
        SpringApplication.run(Application.class, args);
    }
}
