/** Benchmarks, each beside a peer that is measured in the same run. */
@NullMarked
package dev.berth.bench;

import org.jspecify.annotations.NullMarked;
