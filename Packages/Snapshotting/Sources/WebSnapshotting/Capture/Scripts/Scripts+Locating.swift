extension Scripts {
  static let locating = """
    const whole = (element) => {
        const content = document.createRange();
        content.selectNodeContents(element);
        const isContents = getComputedStyle(element).display === 'contents';
        const { x, y, width, height } = (isContents ? content : element).getBoundingClientRect();
        return { x, y, width, height };
      };
      // The parts of elements that the boxes around them do not clip; the window itself clips nothing. The browser measures them when
      // it draws a frame, which a hidden frame may never do: then elements count as a whole.
      const shown = async (elements) => {
        const boxes = new Map(elements.map((element) => [element, whole(element)]));
        const measured = elements.filter((element) => getComputedStyle(element).display !== 'contents' && boxes.get(element).width > 0);
        if (measured.length > 0) await new Promise((resolve) => {
          const observer = new IntersectionObserver((entries) => {
            for (const { target, intersectionRect: { x, y, width, height } } of entries) boxes.set(target, { x, y, width, height });
            observer.disconnect();
            resolve();
          }, { root: document, rootMargin: '1000000px' });
          for (const element of measured) observer.observe(element);
          setTimeout(resolve, 2000);
        });
        return elements.map((element) => boxes.get(element));
      };
      // The position of the window in the page, which begins at the left even if it is read from the right.
      const position = () => {
        const { direction, writingMode } = getComputedStyle(page('body') ?? top);
        const isFromRight = direction === 'rtl' || writingMode === 'vertical-rl' || writingMode === 'sideways-rl';
        const { scrollWidth, clientWidth } = page('scrollingElement') ?? top;
        return { x: scrollX + (isFromRight ? scrollWidth - clientWidth : 0), y: scrollY };
      };
      const isEmpty = ({ width, height }) => width <= 0 || height <= 0;
      const area = async () => {
        const { scrollWidth, scrollHeight } = page('scrollingElement') ?? top;
        if (isMain && isWhole && selector === null) {
          return { x: 0, y: 0, width: Math.max(scrollWidth, 1), height: Math.max(scrollHeight, 1) };
        }
        if (selector === null) return null;
        const element = roots.map((root) => all(root, selector)[0]).find((one) => one);
        if (!element) return null;
        const { display } = getComputedStyle(element);
        const box = whole(element);
        if (display === 'contents' && box.width === 0) return { missing: 'has no box (display: contents)' };
        if (display === 'none' || !element.isConnected || (box.width === 0 && box.height === 0 && !element.checkVisibility())) {
          return { missing: 'is not shown (display: none)' };
        }
        let [part] = await shown([element]);
        const isInWindow = part.x >= 0 && part.y >= 0 && part.x + part.width <= innerWidth && part.y + part.height <= innerHeight;
        if (part.width < box.width - 0.5 || part.height < box.height - 0.5 || !(isMain || isInWindow)) {
          const [x, y] = [scrollX, scrollY];
          element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
          if (isMain) scrollTo({ left: x, top: y, behavior: 'instant' });
          [part] = await shown([element]);
        }
        if (!isEmpty(box) && isEmpty(part)) return { missing: 'is clipped completely by an element around it' };
        if (!isMain) return part;
        // The browser cannot scroll to the left of the page or above it.
        const origin = position();
        const [x, y] = [Math.max(part.x + origin.x, 0), Math.max(part.y + origin.y, 0)];
        const inPage = { x, y, width: part.x + origin.x + part.width - x, height: part.y + origin.y + part.height - y };
        return !isEmpty(part) && isEmpty(inPage) ? { missing: 'is outside the page and cannot be scrolled into view' } : inPage;
      };
    """
}
