#!/bin/sh
# Programs that tests want, beyond Python packages: used if present, installed where the machine
# lets us (root, apt-get), otherwise a line says how to get them and their tests are skipped.
#
#   sh tests/services.sh               see to every program of SERVICES
#   sh tests/services.sh venv PYTHON   see to it that PYTHON can make a virtual environment

# program:Debian package, blanks between
SERVICES="redis-server:redis-server chromium:chromium pg_ctlcluster:postgresql"

may_install() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1
}

install_package() {
    export DEBIAN_FRONTEND=noninteractive
    # RUNLEVEL=1: no service is started; tests start their own on a free port
    { RUNLEVEL=1 apt-get install -qq -y --no-install-recommends "$1" ||
        { apt-get update -qq && RUNLEVEL=1 apt-get install -qq -y --no-install-recommends "$1"; }
    } >/dev/null 2>&1
}

if [ "${1:-}" = venv ]; then
    "$2" -c 'import ensurepip, venv' 2>/dev/null && exit 0
    may_install && install_package python3-venv && exit 0
    echo "$2 cannot make a virtual environment; on Debian and Ubuntu: apt-get install python3-venv"
    exit 1
fi

for service in $SERVICES; do
    program=${service%%:*} package=${service#*:}
    command -v "$program" >/dev/null 2>&1 && continue
    if may_install && install_package "$package" && command -v "$program" >/dev/null 2>&1; then
        echo "$program: installed"
    else
        echo "$program is missing: its tests are skipped. To run them: apt-get install $package"
    fi
done
exit 0
