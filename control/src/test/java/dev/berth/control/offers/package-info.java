@NullMarked
package dev.berth.control.offers;

import org.jspecify.annotations.NullMarked;
