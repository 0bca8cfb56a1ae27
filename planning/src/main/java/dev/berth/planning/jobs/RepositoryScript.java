package dev.berth.planning.jobs;

/**
 * Clones a repository, for any POSIX shell. Given: folder, address, branch, commit, {@code single}
 * or {@code all} branches, {@code skip} or {@code error} where the folder is not empty, the folder
 * with the user's changes, the user and origin that the token is for, and the names of what may be
 * in the folder already.
 *
 * <p>The folder of changes holds {@code removed}, a path a line, and {@code files}. What the run
 * put into the repository's folder before stays as it is.
 */
final class RepositoryScript {
  static final String TEXT =
      """
      fail() { echo "berth: $*" >&2; exit 1; }
      folder=$1 url=$2 branch=$3 commit=$4 branches=$5 exists=$6 changes=$7 login=$8
      shift 8
      command -v git >/dev/null || fail "git is not there, and is needed to clone $url; use a machine or image that has it"
      mkdir -p -- "$folder" || fail "the folder $folder for the repository cannot be made"
      for item in "$folder"/* "$folder"/.[!.]* "$folder"/..?*; do
        if [ ! -e "$item" ] && [ ! -h "$item" ]; then continue; fi
        ours=
        for name in "$changes" "$@"; do
          if [ "$item" = "$folder/$name" ]; then ours=1; fi
        done
        [ -z "$ours" ] || continue
        if [ "$exists" = skip ]; then
          [ -z "$changes" ] || rm -rf -- "$changes"
          exit 0
        fi
        fail "$folder is not empty: ${item##*/} is in it; name another 'path' for the repository, or write 'if_exists: skip' to use what is there"
      done
      agent=
      clone=$(mktemp -d "$folder/.berth-clone.XXXXXX") || fail "$folder cannot be written to"
      leave() {
        rm -rf -- "$clone"
        [ -z "$agent" ] || kill "$agent" 2>/dev/null
      }
      trap leave EXIT
      trap 'exit 129' HUP
      trap 'exit 130' INT
      trap 'exit 143' TERM
      export GIT_TERMINAL_PROMPT=0
      export GIT_SSH_COMMAND="${GIT_SSH_COMMAND:-ssh -o BatchMode=yes -o StrictHostKeyChecking=accept-new}"
      if [ -n "$login" ]; then
        # Git asks the function, which is made of names; only its environment knows the token.
        answer='!answer() { [ "$1" != get ] || printf "username=%s\\npassword=%s\\n" "$BERTH_REPOSITORY_USER" "$BERTH_REPOSITORY_TOKEN"; }; answer'
        BERTH_REPOSITORY_USER=${login%% *}
        export BERTH_REPOSITORY_USER
        with_token() { git -c credential.helper= -c "credential.${login#* }.helper=$answer" "$@"; }
      else
        with_token() { git "$@"; }
      fi
      if [ -n "${BERTH_REPOSITORY_KEY-}" ]; then
        command -v ssh-agent >/dev/null || fail "ssh-agent is not there, and is needed to clone $url with a key"
        eval "$(ssh-agent -s)" >/dev/null
        agent=$SSH_AGENT_PID
        printf '%s\\n' "$BERTH_REPOSITORY_KEY" | ssh-add -q - 2>/dev/null ||
          fail "the secret of 'ssh_key' is no private key, or one with a passphrase"
      fi
      set -- clone -q --no-checkout
      [ "$branches" = all ] || set -- "$@" --single-branch
      [ -z "$branch" ] || set -- "$@" --branch "$branch"
      with_token "$@" -- "$url" "$clone/repository" || fail "$url could not be cloned; git says why above"
      inside() { with_token -C "$clone/repository" "$@"; }
      if [ -n "$commit" ] && ! inside cat-file -e "$commit^{commit}" 2>/dev/null; then
        inside fetch -q origin "$commit" || fail "$url has no commit $commit; push it first"
      fi
      if [ -n "$commit" ] && [ -z "$branch" ]; then
        inside checkout -q --detach "$commit" || fail "the commit $commit could not be checked out"
      else
        inside reset -q --hard ${commit:+"$commit"} || fail "${commit:-what is in $url} could not be checked out"
      fi
      if [ -n "$changes" ]; then
        while IFS= read -r path; do
          rm -rf -- "$clone/repository/$path"
        done <"$changes/removed"
        cp -RPp -- "$changes/files/." "$clone/repository/" || fail "your changes could not be put over the commit"
        rm -rf -- "$changes"
      fi
      # What is there was put there by the run, and is newer than the repository.
      merge() (
        for item in "$1"/* "$1"/.[!.]* "$1"/..?*; do
          if [ ! -e "$item" ] && [ ! -h "$item" ]; then continue; fi
          there=$2/${item##*/}
          if [ ! -e "$there" ] && [ ! -h "$there" ]; then mv -- "$item" "$there" || exit 1
          elif [ -d "$item" ] && [ ! -h "$item" ] && [ -d "$there" ]; then merge "$item" "$there" || exit 1; fi
        done
      )
      merge "$clone/repository" "$folder" || fail "the repository could not be put into $folder"
      """;

  private RepositoryScript() {}
}
