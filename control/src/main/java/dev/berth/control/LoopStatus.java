package dev.berth.control;

import java.time.Duration;

/**
 * How the loop gets on.
 *
 * @param waiting how many messages are in line
 * @param lag for how long the oldest of them waits, or the step under way takes
 * @param writing whether the ledger can be written to, as far as the last commit tells
 */
public record LoopStatus(int waiting, Duration lag, boolean writing) {}
