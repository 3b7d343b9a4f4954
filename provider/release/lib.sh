# Sourced by the scripts beside it: what is published, copies of the checkout, and repositories that are directories.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=provider/lab/lib.sh
. "$root/provider/lab/lib.sh"

# Prints the directories of the published modules of checkout $1, one a line.
published() {
    (cd "$1" && git -C "$root" ls-files --cached --others --exclude-standard -- '*pom.xml' | xargs grep -lF '<maven.deploy.skip>false</maven.deploy.skip>' | sed 's|/pom.xml$||')
}

# The version that checkout $1 has.
version_of() { sed -n '/<artifactId>panama-verbs<\/artifactId>/{ n; s|.*<version>\(.*\)</version>.*|\1|p; q }' "$1/pom.xml"; }

# copy_checkout FROM TO: the files of a checkout that belong to it, as they are now, without what was built.
copy_checkout() {
    rm -rf "$2"
    mkdir -p "$2"
    (cd "$1" && git -C "$root" ls-files -z --cached --others --exclude-standard | xargs -0 ls -d 2>/dev/null | tr '\n' '\0' | tar -c --null -T - -f -) | tar -x -C "$2" -f -
    chmod -R u=rwX,go=rX "$2"
}

# set_version CHECKOUT VERSION: in all poms, and where documents name it.
set_version() {
    local old; old=$(version_of "$1")
    (cd "$1" && git -C "$root" ls-files --cached --others --exclude-standard -- '*pom.xml' README.md docs/guide |
        xargs grep -lF "$old" | xargs sed -i -E "s/(^|[^0-9.])${old//./\\.}([^0-9.]|$)/\\1$2\\2/g")
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
