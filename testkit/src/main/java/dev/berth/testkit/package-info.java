/**
 * The conformance kit: says whether a backend keeps the contract of {@link dev.berth.spi}, and what
 * is to be done next where it does not.
 */
@NullMarked
package dev.berth.testkit;

import org.jspecify.annotations.NullMarked;
