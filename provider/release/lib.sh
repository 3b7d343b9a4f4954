# Sourced by the scripts beside it: what is published, copies of the checkout, and repositories that are directories.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=provider/lab/lib.sh
. "$root/provider/lab/lib.sh"

# Prints the files that belong to this checkout, each ended by NUL, as git knows them; without a repository, or without git, all but what was built.
# One that git has and that was deleted is among them.
files() {
    if [ -e "$root/.git" ] && command -v git >/dev/null; then
        git -c safe.directory="$root" -C "$root" ls-files -z --cached --others --exclude-standard
    else
        (cd "$root" && find . \( -name target -o -name .git \) -prune -o ! -type d -printf '%P\0')
    fi
}
poms() { files | { grep -zE '(^|/)pom\.xml$' || true; }; }

# Prints the directories of the published modules of checkout $1, one a line.
published() {
    (cd "$1" && poms | { xargs -0 grep -lsF '<maven.deploy.skip>false</maven.deploy.skip>' || true; } | sed 's|/pom.xml$||' | sort)
}

# The version that checkout $1 has.
version_of() { sed -n '/<artifactId>panama-verbs<\/artifactId>/{ n; s|.*<version>\(.*\)</version>.*|\1|p; q; }' "$1/pom.xml"; }

# copy_checkout FROM TO: the files of a checkout that belong to it, as they are now, without what was built.
copy_checkout() {
    rm -rf "$2"
    mkdir -p "$2"
    (cd "$1" && files | { xargs -0 ls -d 2>/dev/null || true; } | tr '\n' '\0' | tar -c --null -T - -f -) | tar -x -C "$2" -f -
    chmod -R u=rwX,go=rX "$2"
}

# set_version CHECKOUT VERSION: of ours in all poms, and where documents name it. The guide to a release names versions that are only examples.
set_version() {
    local old each; old=$(version_of "$1")
    old=${old//./\\.}
    while IFS= read -r -d '' each; do
        [ ! -f "$1/$each" ] || sed -i -E -e "/<artifactId>panama-verbs(-[a-z]+)*<\/artifactId>/{ n; s|<version>$old</version>|<version>$2</version>| }" \
            -e "s|<panamaverbs\.version>$old</|<panamaverbs.version>$2</|" "$1/$each"
    done < <(poms)
    while IFS= read -r -d '' each; do
        [ ! -f "$1/$each" ] || sed -i -E "s/(^|[^0-9.])$old([^0-9.]|$)/\1$2\2/g" "$1/$each"
    done < <(files | grep -zE '^README\.md$|^docs/guide/' | grep -zvxF docs/guide/release.md)
}

# not_run WHAT: says that this machine cannot show it. Where CI=true that has failed, since green must mean that it was shown.
not_run() {
    if [ "${CI:-}" = true ]; then
        failed=$((failed + 1)); echo "FAILED  $* (CI=true: this must run)"
    else
        echo "NOT RUN  $*"
    fi
}

# prime DIRECTORY: makes it a local repository of Maven that has what others made, as far as $M2 has it (the user's own by default),
# and nothing of ours. The files are links; those that Maven changes in place are left out.
prime() {
    local cache=${M2:-${HOME:-/root}/.m2/repository}
    mkdir -p "$1"
    rm -rf "$1/org/panamaverbs"
    [ -d "$cache" ] || return 0
    (cd "$cache" && find . -type f ! -path './org/panamaverbs/*' ! -name '_remote.repositories' ! -name '*.lastUpdated' \
        ! -name 'resolver-status.properties' ! -name 'maven-metadata*' -print0 |
        { xargs -0 cp -n --parents -l -t "$1" 2>/dev/null || true; })
    # On another file system there are no links: it fills itself.
}
