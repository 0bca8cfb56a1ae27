@NullMarked
package dev.berth.control.accounts;

import org.jspecify.annotations.NullMarked;
