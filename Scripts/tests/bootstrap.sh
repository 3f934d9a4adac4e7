# Scripts/bootstrap, on machines with missing programs.

swift_says() { given swift <<<"echo 'Swift version $1 (swift-RELEASE)'"; }

# machine_without PROGRAM: a PATH without one of the programs that bootstrap needs. The system's programs are called
# by small scripts, not by links: a write through a link would change them.
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
check "prints nothing if nothing is missing" 0 '' Scripts/bootstrap
check "--help prints the usage" 0 'usage: Scripts/bootstrap' Scripts/bootstrap --help
check "an unknown group is an error" 1 'Choose from: build, repository, test' Scripts/bootstrap no-such-group

swift_says 6.1.2
check "Swift 6.1 is too old" 1 'Cannot use Swift 6.1: version 6.2 or later is required' Scripts/bootstrap
swift_says 5.10
check "Swift 5.10 is too old" 1 'Cannot use Swift 5.10' Scripts/bootstrap
swift_says 10.0
check "Swift 10.0 is new enough" 0 '' Scripts/bootstrap
given swift <<<'echo "libxml2.so.2: cannot open shared object file" >&2; exit 127'
check "the output of a toolchain that fails is printed" 1 'libxml2.so.2' Scripts/bootstrap

machine_without tmux
check "without apt, prints the Debian packages" 1 'Install the equivalents of these Debian packages: tmux' only Scripts/bootstrap
given apt-get <<<'exit 0'
given id <<<'echo 1000'
check "without root and sudo, prints the command" 1 'Run: sudo apt-get install -y tmux' only Scripts/bootstrap
given sudo <<<'exit 1'
check "with a sudo that requires a password, prints the command" 1 'Run: sudo apt-get install -y tmux' only Scripts/bootstrap
check "a group without missing packages passes" 0 '' only Scripts/bootstrap build
given id <<<'echo 0'
check "an installation without effect is an error" 1 'after the installation: tmux' only Scripts/bootstrap
given uname <<<'echo Darwin'
rm "$temporary/bin/apt-get"
check "on macOS, prints the brew command" 1 'Run: brew install tmux' only Scripts/bootstrap

machine_without tmux
given apt-get <<E2
echo "apt-get \$*"
case "\$*" in
  *update*) touch "$temporary/updated" ;;
  *install*tmux*) test -e "$temporary/updated" && touch "$temporary/bin/tmux" && chmod +x "$temporary/bin/tmux" ;;
esac
E2
check "updates the package lists if the installation fails" 0 'apt-get .* update' only Scripts/bootstrap
check "prints nothing after the installation" 0 '' only Scripts/bootstrap
