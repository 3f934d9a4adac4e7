# Scripts/bootstrap, on machines that lack something.

swift_says() { given swift <<<"echo 'Swift version $1 (swift-RELEASE)'"; }

# A machine whose PATH lacks one of the programs that bootstrap looks for. The system's own are called by scripts, never
# linked to, so that nothing here can be written through a link.
machine_without() {
  fresh
  for tool in awk bash cat chmod dirname env flock grep head ln mkdir sed test touch; do
    given "$tool" <<<"exec '$(type -P "$tool")' \"\$@\""
  done
  given uname <<<'echo Linux'
  given id <<<'echo 0'
  for tool in git make pkg-config tmux chromium-headless-shell strace; do
    [[ "$tool" == "$1" ]] || given "$tool" <<<'exit 0'
  done
  swift_says 6.3
}
only() { env PATH="$temporary/bin" "$@"; }

fresh
swift_says 6.3.1
check "nothing missing, nothing said" 0 '' Scripts/bootstrap
check "help" 0 'usage: Scripts/bootstrap' Scripts/bootstrap --help
check "an unknown group" 1 'There are: build, house, test' Scripts/bootstrap no-such-group

swift_says 6.1.2
check "an old toolchain" 1 'Swift 6.1 is too old: 6.2 or later' Scripts/bootstrap
swift_says 5.10
check "a much older toolchain" 1 'Swift 5.10 is too old' Scripts/bootstrap
swift_says 10.0
check "a toolchain of the far future" 0 '' Scripts/bootstrap
given swift <<<'echo "libxml2.so.2: cannot open shared object file" >&2; exit 127'
check "a toolchain that does not start" 1 'libxml2.so.2' Scripts/bootstrap

machine_without tmux
check "no apt" 1 'install what provides these Debian packages: tmux' only Scripts/bootstrap
given apt-get <<<'exit 0'
given id <<<'echo 1000'
check "neither root nor sudo" 1 'Please run: sudo apt-get install -y tmux' only Scripts/bootstrap
given sudo <<<'exit 1'
check "sudo that wants a password" 1 'Please run: sudo apt-get install -y tmux' only Scripts/bootstrap
check "a group that does not need it" 0 '' only Scripts/bootstrap build
given id <<<'echo 0'
check "apt that installs nothing" 1 'still missing after the installation: tmux' only Scripts/bootstrap
given uname <<<'echo Darwin'
rm "$temporary/bin/apt-get"
check "macOS" 1 'please run: brew install tmux' only Scripts/bootstrap

machine_without tmux
given apt-get <<E2
echo "apt-get \$*"
case "\$*" in
  *update*) touch "$temporary/updated" ;;
  *install*tmux*) test -e "$temporary/updated" && touch "$temporary/bin/tmux" && chmod +x "$temporary/bin/tmux" ;;
esac
E2
check "apt with old lists: update, then install again" 0 'apt-get .* update' only Scripts/bootstrap
check "and then there is nothing to do" 0 '' only Scripts/bootstrap
