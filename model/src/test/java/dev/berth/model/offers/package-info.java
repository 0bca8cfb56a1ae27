@NullMarked
package dev.berth.model.offers;

import org.jspecify.annotations.NullMarked;
