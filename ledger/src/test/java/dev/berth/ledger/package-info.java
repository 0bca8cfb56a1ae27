@NullMarked
package dev.berth.ledger;

import org.jspecify.annotations.NullMarked;
