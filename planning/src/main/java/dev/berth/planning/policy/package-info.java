/**
 * What the policies of a server make of configurations, before they are planned. Knows no kind of
 * run.
 */
@NullMarked
package dev.berth.planning.policy;

import org.jspecify.annotations.NullMarked;
