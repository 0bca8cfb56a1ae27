/**
 * The only SQL of Berth: rows, events, actions and replies, committed together under a fence.
 *
 * <p>The ledger does not know what a run is. It keeps rows with JSON bodies that it never reads,
 * and columns for what queries ask. {@link dev.berth.ledger.Ledger} is the contract.
 */
@NullMarked
package dev.berth.ledger;

import org.jspecify.annotations.NullMarked;
