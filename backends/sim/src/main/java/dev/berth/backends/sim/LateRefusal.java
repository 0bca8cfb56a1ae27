package dev.berth.backends.sim;

import dev.berth.model.Refusal;
import java.time.Instant;

/** When and why the cloud refuses a request that it has accepted. */
record LateRefusal(Instant at, Refusal reason) {}
