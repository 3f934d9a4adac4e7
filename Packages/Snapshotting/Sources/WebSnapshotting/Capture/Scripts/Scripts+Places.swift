extension Scripts {
  /// Says where elements are, as far as they can be seen, in pixels of the window.
  static let places = """
    const join = (a, b) => {
        const [x, y] = [Math.max(a.x, b.x), Math.max(a.y, b.y)];
        return { x, y, width: Math.min(a.x + a.width, b.x + b.width) - x, height: Math.min(a.y + a.height, b.y + b.height) - y };
      };
      const whole = (element) => {
        let box = element.getBoundingClientRect();
        if (getComputedStyle(element).display === 'contents') {
          const content = document.createRange();
          content.selectNodeContents(element);
          box = content.getBoundingClientRect();
        }
        return { x: box.x, y: box.y, width: box.width, height: box.height };
      };
      const outer = (element) =>
        element.assignedSlot ?? element.parentElement ?? (element.parentNode instanceof ShadowRoot ? element.parentNode.host : null);
      const isOnTop = (element) => element.matches(':modal, :popover-open, :fullscreen');
      // Of inline boxes only replaced ones cut; of SVG what has a size of its own, as far as the browser says where that is.
      const isCutting = (node, { display }) => node instanceof SVGElement
        ? node instanceof SVGForeignObjectElement || node instanceof SVGSVGElement && !node.ownerSVGElement
        : display !== 'inline';
      // Whether left is left in the window, for an element and all that is in it.
      const isUpright = (element) => {
        for (let node = element; node; node = outer(node)) {
          const { transform, rotate, scale, offsetPath } = getComputedStyle(node);
          const { is2D, a, b, c, d } = new DOMMatrixReadOnly(transform);
          if (!is2D || b !== 0 || c !== 0 || a <= 0 || d <= 0) return false;
          if (rotate !== 'none' || offsetPath !== 'none' || scale.includes('-')) return false;
        }
        return true;
      };
      // What shows of what is in an element that cuts off, or a bit more: all of its box where no other sides are known.
      const opening = (node, style, isPaint) => {
        const edge = node.getBoundingClientRect();
        if (!(node instanceof HTMLElement) || !isUpright(node)) return edge;
        const across = node.offsetWidth ? edge.width / node.offsetWidth : 1;
        const down = node.offsetHeight ? edge.height / node.offsetHeight : 1;
        const isClip = isPaint || style.overflowX === 'clip' || style.overflowY === 'clip';
        const more = isClip ? parseFloat(/[\\d.]+(?=px)/.exec(style.overflowClipMargin)) || 0 : 0;
        return {
          x: edge.x + (node.clientLeft - more) * across, width: (node.clientWidth + 2 * more) * across,
          y: edge.y + (node.clientTop - more) * down, height: (node.clientHeight + 2 * more) * down,
        };
      };
      // The part of an element that the boxes around it do not cut off; the window's own edge cuts nothing off.
      const shown = (element) => {
        let box = whole(element);
        let { position } = getComputedStyle(element);
        for (let child = element, node = outer(element); node && node !== top && !isOnTop(child); child = node, node = outer(node)) {
          const style = getComputedStyle(node);
          if (style.display === 'contents') continue;
          const holdsFixed = style.transform !== 'none' || style.scale !== 'none' || style.rotate !== 'none'
            || style.translate !== 'none' || style.perspective !== 'none' || style.filter !== 'none'
            || /paint|layout|strict|content/.test(style.contain) || /transform|perspective|filter/.test(style.willChange)
            || node instanceof SVGForeignObjectElement;
          if (position === 'fixed' && !holdsFixed) continue;
          if (position === 'absolute' && !holdsFixed && style.position === 'static') continue;
          position = style.position;
          const isWindows = node === page('body') && getComputedStyle(top).overflow === 'visible';
          if (isWindows || !isCutting(node, style)) continue;
          const isPaint = /paint|strict|content/.test(style.contain);
          const [cutsX, cutsY] = [isPaint || style.overflowX !== 'visible', isPaint || style.overflowY !== 'visible'];
          if (!cutsX && !cutsY) continue;
          const inner = opening(node, style, isPaint);
          box = join(box, {
            x: cutsX ? inner.x : -1e9, width: cutsX ? inner.width : 2e9,
            y: cutsY ? inner.y : -1e9, height: cutsY ? inner.height : 2e9,
          });
        }
        return box;
      };
      // Where the window is in the page, which begins at the left even if it is read from the right.
      const position = () => {
        const { direction, writingMode } = getComputedStyle(page('body') ?? top);
        const isFromRight = direction === 'rtl' || writingMode === 'vertical-rl' || writingMode === 'sideways-rl';
        const { scrollWidth, clientWidth } = page('scrollingElement') ?? top;
        return { x: scrollX + (isFromRight ? scrollWidth - clientWidth : 0), y: scrollY };
      };
      const area = () => {
        const origin = position();
        const scrolled = page('scrollingElement') ?? top;
        const [width, height] = [Math.max(scrolled.scrollWidth, 1), Math.max(scrolled.scrollHeight, 1)];
        if (isMain && isWhole && selector === null) return { x: 0, y: 0, width, height };
        if (selector === null) return null;
        const element = roots.map((root) => all(root, selector)[0]).find((one) => one);
        if (!element) return null;
        const { display } = getComputedStyle(element);
        const box = whole(element);
        if (display === 'contents' && box.width === 0) return { missing: 'has no box (display: contents)' };
        if (display === 'none' || !element.isConnected || (box.width === 0 && box.height === 0 && !element.checkVisibility())) {
          return { missing: 'is not shown (display: none)' };
        }
        const seen = isMain ? shown(element) : join(shown(element), { x: 0, y: 0, width: innerWidth, height: innerHeight });
        if (seen.width < box.width - 0.5 || seen.height < box.height - 0.5) {
          const [x, y] = [scrollX, scrollY];
          element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
          if (isMain) scrollTo({ left: x, top: y, behavior: 'instant' });
        }
        let part = shown(element);
        if (box.width > 0 && box.height > 0 && (part.width <= 0 || part.height <= 0)) {
          return { missing: 'is clipped completely by an element around it' };
        }
        if (isMain) {
          // What is left of the page or above it cannot be scrolled to.
          const inPage = { ...part, x: part.x + origin.x, y: part.y + origin.y };
          part = join(inPage, { x: 0, y: 0, width: 1e9, height: 1e9 });
          if (inPage.width > 0 && inPage.height > 0 && (part.width <= 0 || part.height <= 0)) {
            return { missing: 'is outside the page and cannot be scrolled into view' };
          }
        }
        return part;
      };
    """
}
