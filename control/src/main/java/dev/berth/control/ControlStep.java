package dev.berth.control;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * A part of the server that works in steps, for whoever drives it by a clock of his own.
 *
 * @param name for people to read
 * @param next when a step has something to do, asked with the time that it is; empty for never,
 *     unless something happens
 * @param step does what is to be done now
 */
public record ControlStep(String name, Function<Instant, Optional<Instant>> next, Runnable step) {}
