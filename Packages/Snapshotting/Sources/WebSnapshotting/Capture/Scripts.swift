internal import Foundation

/// The scripts that this library runs in pages: functions of JavaScript, as text.
enum Scripts {
  /// Makes `Date` say one instant.
  ///
  /// Timers go on.
  static func freezing(_ now: Date) -> String {
    """
    (() => {
      const now = \(Int64((now.timeIntervalSince1970 * 1000).rounded()));
      const Real = Date;
      const Frozen = function (...parts) {
        if (!new.target) return new Real(now).toString();
        return Reflect.construct(Real, parts.length === 0 ? [now] : parts, new.target);
      };
      Object.defineProperty(Frozen, 'length', { value: 7 });
      Object.defineProperty(Frozen, 'name', { value: 'Date' });
      Frozen.prototype = Real.prototype;
      Frozen.prototype.constructor = Frozen;
      Frozen.now = () => now;
      Frozen.parse = Real.parse;
      Frozen.UTC = Real.UTC;
      globalThis.Date = Frozen;
    })()
    """
  }

  /// Takes everything out of a document, and goes back to its beginning.
  static let emptying = """
    () => {
      document.replaceChildren();
      scrollTo({ left: 0, top: 0, behavior: 'instant' });
      return scrollX === 0 && scrollY === 0 && !document.activeElement && getSelection().type === 'None';
    }
    """

  /// Resolves when the fonts that the page asked for have arrived, or have failed to.
  static let fonts = "() => document.fonts.ready.then(() => true)"

  /// Resolves when an element fits a selector.
  static let presence = """
    (selector) => new Promise((resolve) => {
      if (document.querySelector(selector)) return resolve(true);
      const observer = new MutationObserver(() => {
        if (!document.querySelector(selector)) return;
        observer.disconnect();
        resolve(true);
      });
      observer.observe(document, { subtree: true, childList: true, attributes: true });
    })
    """

  /// Resolves when an expression is true.
  static func waiting(for predicate: String) -> String {
    """
    new Promise((resolve, reject) => {
      const look = () => {
        try {
          if (\(predicate)) resolve(true); else requestAnimationFrame(look);
        } catch (error) { reject(error); }
      };
      look();
    })
    """
  }

  /// Brings a frame into the state that a picture is taken of, and says which rectangle that picture has.
  static let preparing = """
    async ({ awaitsFonts, animates, isWhole, selector, masks }) => {
      if (awaitsFonts) await document.fonts.ready;
      const root = document.documentElement;
      if (!root) return null;
      if (isWhole) {
        for (const lazy of document.querySelectorAll('[loading=lazy]')) lazy.loading = 'eager';
      }
      // A lazy picture that is out of sight is not loaded, and would be waited for in vain.
      const isAwaited = (image) => {
        if (image.loading !== 'lazy' || image.complete) return true;
        const { top, bottom, left, right } = image.getBoundingClientRect();
        return bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
      };
      await Promise.all([...document.images].filter(isAwaited).map((image) => image.decode().catch(() => {})));
      if (!document.getElementById('web-snapshotting-style')) {
        const style = document.createElement('style');
        style.id = 'web-snapshotting-style';
        style.textContent = '*, *::before, *::after { caret-color: transparent !important; }';
        root.append(style);
      }
      if (!animates) {
        for (const animation of document.getAnimations()) {
          const timing = animation.effect?.getComputedTiming();
          if (!timing || timing.endTime === Infinity || animation.playbackRate === 0) animation.cancel();
          else animation.finish();
        }
      }
      const inPage = (element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return { x: left + scrollX, y: top + scrollY, width, height };
      };
      document.querySelectorAll('[data-web-snapshotting-mask]').forEach((mask) => mask.remove());
      const covered = masks.flatMap((mask) => [...document.querySelectorAll(mask)]).map(inPage);
      for (const { x, y, width, height } of covered) {
        const box = document.createElement('div');
        box.dataset.webSnapshottingMask = '';
        box.popover = 'manual';
        box.style.cssText = `all: initial; position: absolute; inset: auto; left: ${x}px; top: ${y}px; ` +
          `width: ${width}px; height: ${height}px; background: #ff00ff; z-index: 2147483647; pointer-events: none`;
        root.append(box);
        box.showPopover();
      }
      if (selector !== undefined && selector !== null) {
        const element = document.querySelector(selector);
        return element ? inPage(element) : null;
      }
      if (!isWhole) return null;
      const page = document.scrollingElement ?? root;
      return { x: 0, y: 0, width: Math.max(page.scrollWidth, 1), height: Math.max(page.scrollHeight, 1) };
    }
    """

  /// The text that can be seen.
  static let text = """
    () => (document.body ?? document.documentElement)?.innerText
      .split('\\n').map((line) => line.trimEnd()).join('\\n').trim() ?? ''
    """

  /// The document as HTML in one form: an element a line unless it is within text, attributes sorted, white space as it shows.
  static let dom = #"""
    () => {
      const voids = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
      const verbatim = new Set('pre textarea script style'.split(' '));
      const inline = new Set(('a abbr b bdi bdo br button cite code data dfn em i img input kbd label mark q s samp ' +
        'small span strong sub sup time u var wbr').split(' '));
      const text = (s) => s.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
      const value = (s) => s.replace(/&/g, '&amp;').replace(/"/g, '&quot;');
      const open = (node) => '<' + node.localName + [...node.attributes]
        .map(({ name, value: v }) => v === '' ? ` ${name}` : ` ${name}="${value(v)}"`).sort().join('') + '>';
      const isOurs = (node) => node.id === 'web-snapshotting-style' || node.dataset?.webSnapshottingMask !== undefined;
      const flows = (node) => node.nodeType === 3 ? node.data.trim() === '' || true
        : node.nodeType === 1 && inline.has(node.localName) && !node.shadowRoot && [...node.childNodes].every(flows);
      const flow = (node) => {
        if (node.nodeType === 3) return text(node.data.replace(/[ \t\n\r\f]+/g, ' '));
        if (node.nodeType !== 1) return '';
        if (voids.has(node.localName)) return open(node);
        return open(node) + [...node.childNodes].map(flow).join('') + `</${node.localName}>`;
      };
      const lines = [];
      const put = (depth, line) => { if (line !== '') lines.push('  '.repeat(depth) + line); };
      const children = (parent, depth) => {
        let run = '';
        const end = () => { put(depth, run.trim()); run = ''; };
        const nodes = parent.localName === 'template' && parent.content ? parent.content.childNodes : parent.childNodes;
        for (const node of nodes) {
          if (node.nodeType === 1 && isOurs(node)) continue;
          if (flows(node)) { run += flow(node); continue; }
          end();
          block(node, depth);
        }
        end();
      };
      const block = (node, depth) => {
        if (node.nodeType !== 1) return;
        const name = node.localName;
        if (voids.has(name)) return put(depth, open(node));
        if (verbatim.has(name)) {
          const content = name === 'script' || name === 'style' ? node.textContent : node.innerHTML;
          return put(depth, open(node) + content + `</${name}>`);
        }
        const nodes = [...node.childNodes].filter((n) => n.nodeType !== 8);
        if (!node.shadowRoot && name !== 'template' && nodes.every(flows)) {
          return put(depth, open(node) + nodes.map(flow).join('').trim() + `</${name}>`);
        }
        put(depth, open(node));
        if (node.shadowRoot) {
          put(depth + 1, `<template shadowrootmode="${node.shadowRoot.mode}">`);
          children(node.shadowRoot, depth + 2);
          put(depth + 1, '</template>');
        }
        children(node, depth + 1);
        put(depth, `</${name}>`);
      };
      if (document.doctype) put(0, `<!DOCTYPE ${document.doctype.name}>`);
      if (document.documentElement) block(document.documentElement, 0);
      return lines.join('\n') + '\n';
    }
    """#
}
