/** Tasks: work that ends, on one node or several. Found through the contract; nobody names it. */
@NullMarked
package dev.berth.planning.task;

import org.jspecify.annotations.NullMarked;
