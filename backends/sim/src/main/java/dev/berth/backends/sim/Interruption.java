package dev.berth.backends.sim;

import java.time.Instant;

/**
 * When the simulated cloud takes something back.
 *
 * @param noticeAt from when on it says so
 * @param goneAt when nothing is left of it
 */
record Interruption(Instant noticeAt, Instant at, Instant goneAt) {}
