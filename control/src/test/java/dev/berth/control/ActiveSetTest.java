package dev.berth.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.decisions.Draft;
import dev.berth.model.Resource;
import dev.berth.model.ResourceType;
import org.junit.jupiter.api.Test;

final class ActiveSetTest {
  private final ActiveSet active = new ActiveSet();

  @Test
  void aNounIsFoundByTheKeyOfDraftsWhileItIsActive() {
    apply(resource(Resource.State.PRESENT));
    assertThat(active.find("resource/a")).contains(resource(Resource.State.PRESENT));
    assertThat(active.find("attempt/a")).isEmpty();
    apply(resource(Resource.State.LEAVING));
    apply(resource(Resource.State.GONE));
    assertThat(active.find("resource/a")).isEmpty();
  }

  @Test
  void whatIsDeletedIsGone() {
    apply(resource(Resource.State.PRESENT));
    Draft deletion = new Draft(active);
    deletion.delete(resource(Resource.State.PRESENT));
    active.apply(deletion);
    assertThat(active.find("resource/a")).isEmpty();
    assertThat(active.active(Resource.class)).isEmpty();
  }

  @Test
  void nobodyChangesWhatIsActiveByReadingIt() {
    apply(resource(Resource.State.PRESENT));
    assertThatThrownBy(() -> active.active(Resource.class).clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  private void apply(Resource resource) {
    Draft draft = new Draft(active);
    draft.put(resource);
    active.apply(draft);
  }

  private static Resource resource(Resource.State phase) {
    return new Resource(
        "a", Samples.PROJECT, "a", Samples.BACKEND, ResourceType.JOB, phase, null, null, null);
  }
}
