# Sourced by the scripts that unpack a system of Debian below $LAB: packages of a release of its own ($suite), by an apt that knows
# nothing of this machine. Nothing is installed, and no script of a package runs. Needs lib.sh.
# shellcheck shell=bash

apt=(apt-get -q -o APT::Sandbox::User=root -o Acquire::Retries=2)
scratch=''
trap 'rm -rf ${scratch:+"$scratch"}' EXIT
# A new empty directory on the file system of the lab, which goes with this script at the latest.
new_scratch() { rm -rf ${scratch:+"$scratch"}; scratch=$(mktemp -d "$LAB/debs.XXXXXX"); }

# Where this machine's apt has Debian from, not its security updates nor what others publish; nothing if it does not know.
host_mirror() {
    # shellcheck disable=SC2016 # expanded by apt-get
    env -u APT_CONFIG apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' \
        2>/dev/null | awk 'NR == 1' || true
}

# Package sources of $suite for architecture $1, apart from those of the host: an empty system below $LAB.
# shellcheck disable=SC2154 # $suite is that of the script that sources this
apt_for() {
    local dir=$LAB/apt-$suite-$1 mirror options=signed-by=/usr/share/keyrings/debian-archive-keyring.gpg
    export APT_CONFIG=$dir/apt.conf
    if [ -s "$dir/ready" ] && { [ -z "${MIRROR:-}" ] || grep -qF "] $MIRROR $suite main" "$dir/sources.list"; }; then return; fi
    mirror=${MIRROR:-$(host_mirror)}
    if [ -z "$mirror" ]; then                           # without its lists apt knows nobody's origin
        env -u APT_CONFIG "${apt[@]}" update >/dev/null 2>&1 || true
        mirror=$(host_mirror)
    fi
    [ -n "$mirror" ] || not_here 'apt of this machine names no mirror of Debian: set MIRROR to one'
    mkdir -p "$dir"/{none,var/lib/dpkg,var/lib/apt/lists/partial,var/cache/apt/archives/partial}
    : >"$dir/var/lib/dpkg/status"
    # Those of unstable hold for a week, and a mirror may stand still for longer.
    [ "$suite" != sid ] || options="check-valid-until=no $options"
    echo "deb [$options] $mirror $suite main" >"$dir/sources.list"
    cat >"$APT_CONFIG" <<EOS
Dir "$dir";
Dir::Etc::sourcelist "$dir/sources.list";
Dir::Etc::sourceparts "$dir/none";
Dir::Etc::parts "$dir/none";
Dir::Etc::preferencesparts "$dir/none";
Dir::State::status "$dir/var/lib/dpkg/status";
APT::Architecture "$1";
APT::Architectures { "$1"; };
Acquire::Languages "none";
EOS
    # Without this a mirror that does not answer counts as one without packages.
    "${apt[@]}" -o APT::Update::Error-Mode=any update >"$dir/log" 2>&1 ||
        { tail -5 "$dir/log" >&2; not_here "no package lists of $suite for $1 from $mirror: set MIRROR to a mirror of Debian"; }
    date >"$dir/ready"
}

# unpack closure|alone DIR PACKAGE...: the packages, with all they depend on or alone, below DIR.
unpack() {
    local what=$1 dir=$2 debs deb name rc=0; shift 2
    new_scratch
    debs=$scratch
    case $what in
        closure)
            mkdir "$debs/partial"
            "${apt[@]}" -y --download-only --no-install-recommends -o "Dir::Cache::archives=$debs" install "$@" \
                >"$LAB/download.log" 2>&1 || rc=$?
            ;;
        alone) (cd "$debs" && "${apt[@]}" download "$@") >"$LAB/download.log" 2>&1 || rc=$? ;;
    esac
    if [ "$rc" -ne 0 ]; then
        tail -5 "$LAB/download.log" >&2
        not_here "cannot download from $suite: $*; if the lists are old, --force fetches new ones"
    fi
    # /bin, /lib and /sbin are links: they must be there before the first package is unpacked.
    mkdir -p "$dir"/usr/{bin,lib,sbin}
    for name in bin lib sbin; do [ -e "$dir/$name" ] || ln -s "usr/$name" "$dir/$name"; done
    for deb in "$debs"/*.deb; do dpkg-deb -x "$deb" "$dir"; done
    rm -rf "$debs"
}

# Prints the packages with all that they depend on, and their versions: what `unpack closure` would unpack.
closure() {
    LC_ALL=C "${apt[@]}" -s --no-install-recommends install "$@" 2>"$LAB/download.log" | sed -n 's/^Inst //p' ||
        { tail -5 "$LAB/download.log" >&2; not_here "apt knows not all of $suite: $*"; }
}

# What the scripts of the packages would have made below directory $1.
finish_root() {
    local dir=$1
    mkdir -p "$dir"/{proc,sys,dev,run,tmp,root,out,mnt}
    ln -sf mawk "$dir/usr/bin/awk"; ln -sf dash "$dir/usr/bin/sh"
    echo 'root:x:0:0:root:/root:/bin/bash' >"$dir/etc/passwd"; echo 'root:x:0:' >"$dir/etc/group"
    printf '127.0.0.1 localhost lab\n::1 localhost\n' >"$dir/etc/hosts"
    printf 'passwd: files\ngroup: files\nhosts: files\n' >"$dir/etc/nsswitch.conf"
}

# Runs a command in a mount namespace of its own, as root or in a user namespace.
own_mounts() {
    local map=()
    [ "$(id -u)" = 0 ] || map=(--map-root-user)
    unshare ${map[@]+"${map[@]}"} --mount "$@"
}
