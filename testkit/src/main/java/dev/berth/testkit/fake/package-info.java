/**
 * Fake clouds: servers on loopback that speak a provider's API, with faults, a virtual clock and an
 * inventory of all that exists there, so that backends can be tested without an account.
 *
 * <p>A {@link dev.berth.testkit.fake.FakeCloud} says what one provider's API does; a {@link
 * dev.berth.testkit.fake.FakeProvider} serves it. See {@code docs/backends/fakes.md}.
 */
@NullMarked
package dev.berth.testkit.fake;

import org.jspecify.annotations.NullMarked;
