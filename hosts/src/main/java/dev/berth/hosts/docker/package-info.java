/**
 * A client of the Docker Engine API over any channel of bytes. Making requests and reading answers
 * are pure functions; {@link dev.berth.hosts.docker.EngineHttp} is the one class that talks.
 */
@NullMarked
package dev.berth.hosts.docker;

import org.jspecify.annotations.NullMarked;
