package dev.berth.planning.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.SecretRef;
import dev.berth.model.SecretText;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How secrets that texts name are found, and what stands for them in scripts. */
class SecretCommandsTest {
  @Test
  void aVariableStandsForEachSecret() {
    SecretCommands script = new SecretCommands("lab");
    assertThat(
            script.withVariables(
                List.of(
                    "login \"${{ secrets.hub }}\"",
                    "echo ${{secrets.a-b}} ${{ secrets.a_b }} ${{ secrets.hub }}",
                    "echo $$ $HOME")))
        .containsExactly(
            "login \"${BERTH_SECRET_hub}\"",
            "echo ${BERTH_SECRET_a_b} ${BERTH_SECRET_a_b_2} ${BERTH_SECRET_hub}",
            "echo $$ $HOME");
    assertThat(script.variables())
        .containsOnlyKeys("BERTH_SECRET_hub", "BERTH_SECRET_a_b", "BERTH_SECRET_a_b_2");
    assertThat(script.variables().get("BERTH_SECRET_a_b"))
        .isEqualTo(new SecretText(List.of(SecretText.Piece.of(new SecretRef("lab", "a-b")))));
  }

  @Test
  void twoDollarSignsAreOneWhereReferencesAre() {
    SecretText text = SecretReferences.parse("lab", "$$5 $${{ secrets.x }} ${{ secrets.y }}$$");
    assertThat(text.pieces())
        .containsExactly(
            SecretText.Piece.of("$5 ${{ secrets.x }} "),
            SecretText.Piece.of(new SecretRef("lab", "y")),
            SecretText.Piece.of("$"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "echo '${{ secrets.x }}'",
        "echo \"a\" 'b ${{ secrets.x }}'",
        "# it's\necho '${{ secrets.x }}'",
        "cat <<'EOF'\n${{ secrets.x }}\nEOF",
        "cat <<-\\EOF\n${{ secrets.x }}\nEOF"
      })
  void whereAShellPutsNothingInNoSecretMayStand(String command) {
    assertThat(SecretCommands.obstacle(command)).contains("where shells expand nothing");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "echo ${{ secrets.x }}",
        "echo \"it's ${{ secrets.x }}\"",
        "echo it\\'s ${{ secrets.x }}",
        "# it's\necho ${{ secrets.x }}",
        "echo 'a' ${{ secrets.x }} 'b'",
        "cat <<EOF\n${{ secrets.x }}\nEOF",
        "cat <<< \"${{ secrets.x }}\"",
        "echo 'nothing'"
      })
  void elsewhereItMay(String command) {
    assertThat(SecretCommands.obstacle(command)).isNull();
  }
}
