# Scripts/docs: finds symbols without a comment, in the symbol graphs below.

graph_with() {
  given swift <<END
case "\$1" in
  symbolgraph-extract)
    while [[ "\$1" != -output-dir ]]; do shift; done
    printf '%s' '{"symbols":[$1],"relationships":[]}' >"\$2/A.symbols.json"
    ;;
esac
END
  given docc <<<'echo "docc was called"; exit 1'
}

place='"location":{"uri":"file:///a/b/Packages/X/Sources/A.swift","position":{"line":6,"character":2}}'
case='{"kind":{"identifier":"swift.enum.case","displayName":"Case"},"names":{"title":"E.some"}'
comment='"docComment":{"lines":[{"text":"Some."}]}'

graph_with "$case,$comment,$place},$case,$place}"
check "an enum case without a comment is an error" 1 '^Packages/X/Sources/A.swift:7: E.some$' Scripts/docs
graph_with "$case,$comment,$place},$case}"
check "documented and synthesised symbols pass" 1 'docc was called' Scripts/docs
rm -rf .build/docs-symbols .build/docs-archives
