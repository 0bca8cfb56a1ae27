package dev.berth.model.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a run would be placed, and what stands against it. */
public record PlanView(
    @Nullable String name, List<OfferView> offers, List<FieldProblem> refusals) {}
