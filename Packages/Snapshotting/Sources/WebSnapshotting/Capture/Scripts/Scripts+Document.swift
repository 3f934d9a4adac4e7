extension Scripts {
  static let text = """
    () => ['body', 'documentElement'].map((name) => Reflect.get(Document.prototype, name, document)).find((one) => one)?.innerText
      .split('\\n').map((line) => line.trimEnd()).join('\\n').trim() ?? ''
    """

  /// Returns the document as HTML in a normal form: one block in each line, sorted attributes, collapsed white space.
  static let dom = #"""
    () => {
      const voids = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
      const verbatim = new Set('pre textarea script style'.split(' '));
      const inline = new Set(('a abbr b bdi bdo br button cite code data dfn em i img input kbd label mark q s samp ' +
        'small span strong sub sup time u var wbr').split(' '));
      // The elements of a form hide the form's own properties.
      const of = (type, name) => (node) => Reflect.get(type.prototype, name, node);
      const [attributesOf, treeOf] = [of(Element, 'attributes'), of(Element, 'shadowRoot')];
      const [nameOf, childrenOf, typeOf] = [of(Element, 'localName'), of(Node, 'childNodes'), of(Node, 'nodeType')];
      const text = (s) => s.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
      const value = (s) => s.replace(/&/g, '&amp;').replace(/"/g, '&quot;');
      const open = (node) => '<' + nameOf(node) + [...attributesOf(node)]
        .map(({ name, value: v }) => v === '' ? ` ${name}` : ` ${name}="${value(v)}"`).sort().join('') + '>';
      const flows = (node) => typeOf(node) === 3 || typeOf(node) === 8 ? true
        : typeOf(node) === 1 && inline.has(nameOf(node)) && !treeOf(node) && [...childrenOf(node)].every(flows);
      const flow = (node) => {
        if (typeOf(node) === 3) return text(node.data.replace(/[ \t\n\r\f]+/g, ' '));
        if (typeOf(node) !== 1) return '';
        if (voids.has(nameOf(node))) return open(node);
        return open(node) + joined([...childrenOf(node)]) + `</${nameOf(node)}>`;
      };
      // Spaces at both sides of a comment, or at the boundary of two texts, are shown as one.
      const joined = (nodes) => nodes.map(flow)
        .reduce((all, next) => all.endsWith(' ') && next.startsWith(' ') ? all + next.slice(1) : all + next, '');
      const content = (node) => node instanceof HTMLTemplateElement ? node.content : node;
      const exact = (node) => {
        if (typeOf(node) === 3) return text(node.data).replace(/\u00a0/g, '&nbsp;');
        if (typeOf(node) !== 1) return '';
        const name = nameOf(node);
        if (voids.has(name)) return open(node);
        const isRaw = name === 'script' || name === 'style';
        return open(node) + (isRaw ? node.textContent : [...childrenOf(content(node))].map(exact).join('')) + `</${name}>`;
      };
      const lines = [];
      const put = (depth, line) => { if (line !== '') lines.push('  '.repeat(depth) + line); };
      const children = (parent, depth) => {
        let run = [];
        const end = () => { put(depth, joined(run).trim()); run = []; };
        for (const node of childrenOf(content(parent))) {
          if (flows(node)) { run.push(node); continue; }
          end();
          block(node, depth);
        }
        end();
      };
      const block = (node, depth) => {
        if (typeOf(node) !== 1) return;
        const name = nameOf(node);
        if (voids.has(name)) return put(depth, open(node));
        if (verbatim.has(name)) return put(depth, exact(node));
        const nodes = [...childrenOf(node)];
        if (!treeOf(node) && name !== 'template' && nodes.every(flows)) {
          return put(depth, open(node) + joined(nodes).trim() + `</${name}>`);
        }
        put(depth, open(node));
        const tree = treeOf(node);
        if (tree) {
          put(depth + 1, `<template shadowrootmode="${tree.mode}">`);
          children(tree, depth + 2);
          put(depth + 1, '</template>');
        }
        children(node, depth + 1);
        put(depth, `</${name}>`);
      };
      const [type, root] = ['doctype', 'documentElement'].map((name) => of(Document, name)(document));
      if (type) put(0, `<!DOCTYPE ${type.name}>`);
      if (root) block(root, 0);
      return lines.join('\n') + '\n';
    }
    """#
}
