@NullMarked
package dev.berth.client;

import org.jspecify.annotations.NullMarked;
