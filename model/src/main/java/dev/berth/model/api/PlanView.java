package dev.berth.model.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a run would be placed, and what stands against it.
 *
 * @param action submit, or update where a run of that name is active and only its priority differs
 * @param changes what is different from the active run of that name; empty where there is none
 */
public record PlanView(
    @Nullable String name,
    String action,
    List<FieldChange> changes,
    List<OfferView> offers,
    List<FieldProblem> refusals) {}
