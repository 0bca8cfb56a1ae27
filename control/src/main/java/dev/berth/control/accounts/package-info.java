/**
 * Everything that goes to an account of a provider: its limits, and what it has. Used by the parts
 * of the control plane, which know nothing of it but what {@link
 * dev.berth.control.accounts.Accounts} gives them.
 */
@NullMarked
package dev.berth.control.accounts;

import org.jspecify.annotations.NullMarked;
