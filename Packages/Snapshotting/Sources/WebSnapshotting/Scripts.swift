/// The functions of this library that run in a page, in a context of their own apart from the page's scripts.
enum Scripts {
  /// The document and all shadow trees in it.
  static let roots = """
    (() => {
        const roots = [document];
        for (const root of roots) {
          for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot instanceof ShadowRoot) roots.push(shadowRoot);
        }
        return roots;
      })()
    """

  /// Returns the first element of the document or of a shadow tree in it that matches a selector.
  static let element = """
    (selector) => {
      for (const root of \(roots)) {
        const element = root.querySelector(selector);
        if (element) return element;
      }
      return null;
    }
    """

  /// Returns the area of an element, or of the whole page, in coordinates of the page; `null` without the element.
  ///
  /// The containers around the element scroll to show it, and the window of the page does not.
  static let area = """
    (selector) => {
      const top = document.scrollingElement ?? document.documentElement;
      const [pageWidth, pageHeight] = [Math.max(top.scrollWidth, 1), Math.max(top.scrollHeight, 1)];
      if (selector === null) return { x: 0, y: 0, width: pageWidth, height: pageHeight, scale: 1 };
      const element = (\(element))(selector);
      if (!element) return null;
      const [left, above] = [scrollX, scrollY];
      element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
      scrollTo({ left, top: above, behavior: 'instant' });
      const { direction, writingMode } = getComputedStyle(document.body ?? top);
      // The page begins at the left even if it is read from the right.
      const before = scrollX + (direction === 'rtl' || writingMode.endsWith('-rl') ? pageWidth - top.clientWidth : 0);
      const box = element.getBoundingClientRect();
      const limited = (value, limit) => Math.round(Math.min(Math.max(value, 0), limit));
      const [x, y] = [limited(box.left + before, pageWidth), limited(box.top + scrollY, pageHeight)];
      const [right, bottom] = [limited(box.right + before, pageWidth), limited(box.bottom + scrollY, pageHeight)];
      return { x, y, width: right - x, height: bottom - y, scale: 1 };
    }
    """

  /// Resolves when an expression is true, or a promise of true.
  static func waiting(for predicate: String) -> String {
    // The expression may end with a comment.
    """
    new Promise((resolve, reject) => {
      const look = async () => {
        try {
          if (await (\(predicate)
          )) resolve(true); else requestAnimationFrame(look);
        } catch (error) { reject(error); }
      };
      look();
    })
    """
  }

  /// Renders elements outside of the window that the browser skips.
  static let revealing = """
    () => {
      for (const element of \(roots).flatMap((root) => [...root.querySelectorAll('*')])) {
        if (getComputedStyle(element).contentVisibility === 'auto') {
          element.style?.setProperty('content-visibility', 'visible', 'important');
        }
      }
      return true;
    }
    """

  /// Prepares a frame for its image: everything is rendered and at rest, and masks cover their elements.
  ///
  /// Returns the indices of the masks that match an element.
  static let preparing = """
    async ({ animates, isInert, isWhole, masks, isMain, styles }) => {
      const drawing = \(frame);
      \(visiting)
      const roots = \(roots);
      \(covering)
      \(stopping)
      return masked;
    }
    """

  /// Renders what the browser skips outside of the window.
  private static let visiting = """
    (\(revealing))();
      if (isMain && isWhole && !isInert && innerHeight > 0) {
        const { scrollHeight } = document.scrollingElement ?? document.documentElement;
        const [left, above] = [scrollX, scrollY];
        for (let y = 0; scrollHeight > innerHeight && y < Math.min(scrollHeight, 16384); y += innerHeight) {
          scrollTo({ left, top: y, behavior: 'instant' });
          await drawing();
        }
        if (scrollHeight > innerHeight) {
          scrollTo({ left, top: above, behavior: 'instant' });
          await drawing();
        }
      }
    """

  /// Hides the caret, adds the styles of the page, and covers the masked elements.
  ///
  /// A filter fills the box of an element with a colour, without an effect on the layout.
  private static let covering = """
    const found = masks.map((mask) => roots.flatMap((root) => [...root.querySelectorAll(mask)]));
      for (const element of found.flat()) {
        if (getComputedStyle(element).display === 'contents') throw new Error(`A mask cannot cover <${element.localName}> without a box.`);
      }
      const masked = masks.flatMap((_, index) => found[index].length > 0 ? [index] : []);
      // A document does not list the animations of these parts of an element.
      const still = ['::placeholder', '::file-selector-button', '::details-content'].map((part) =>
        `${part} { animation: none !important; transition: none !important }`).join(' ');
      // An important rule in a layer overrides important rules outside of layers, whatever their selectors. The filter does not
      // apply to a document of another origin.
      const rules = `*, ::before, ::after { caret-color: transparent !important } ${animates ? '' : still}`
        + masks.map((mask) => `${mask} { filter: url(#web-snapshotting-mask) !important }
          :is(iframe, object, embed):is(${mask}, :is(${mask}) *) { visibility: hidden !important }`).join(' ');
      globalThis.sheet ??= new CSSStyleSheet();
      if (sheet.cssRules.length === 0) sheet.replaceSync(`@layer { ${rules} } ${styles}`);
      for (const root of roots) {
        if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
        if (masks.length === 0 || root.getElementById('web-snapshotting-mask')) continue;
        const [svg, filter, flood] = ['svg', 'filter', 'feFlood']
          .map((name) => document.createElementNS('http://www.w3.org/2000/svg', name));
        svg.style.cssText = 'position: fixed; width: 0; height: 0';
        for (const [name, value] of Object.entries({ id: 'web-snapshotting-mask', x: 0, y: 0, width: 1, height: 1 })) {
          filter.setAttribute(name, value);
        }
        flood.setAttribute('flood-color', '#f0f');
        filter.append(flood);
        svg.append(filter);
        (root.documentElement ?? root).append(svg);
      }
    """

  /// Loads lazy images, waits for images and fonts, and stops animations.
  private static let stopping = """
    // How much of the document is in the window, from 0 to 1.
      const visiblePart = () => new Promise((resolve) => {
        new IntersectionObserver(([entry]) => resolve(entry.intersectionRatio)).observe(document.documentElement);
      });
      const isShown = (view) => view === top || (view.frameElement?.checkVisibility() && isShown(view.parent));
      // The browser draws no hidden frame, and one of another origin only in the window. Without drawing, no wait would end.
      const isDrawn = isMain || (isWhole && isShown(window)) || (innerWidth > 0 && await visiblePart() > 0);
      if (!isDrawn) return masked;
      if (isWhole) for (const root of roots) for (const lazy of root.querySelectorAll('[loading=lazy]')) lazy.loading = 'eager';
      // The browser does not load a lazy image outside of the window.
      const isAwaited = (image) => {
        if (image.loading !== 'lazy' || image.complete) return true;
        const { top, bottom, left, right } = image.getBoundingClientRect();
        return bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
      };
      const images = roots.flatMap((root) => [...root.querySelectorAll('img')]);
      await Promise.all([document.fonts.ready, ...images.filter(isAwaited).map((image) => image.decode().catch(() => {}))]);
      // The browser scrolls to such an element before or after images move it.
      if (isMain && !isWhole && document.activeElement?.autofocus) {
        scrollTo({ left: 0, top: 0, behavior: 'instant' });
        document.activeElement.scrollIntoView({ block: 'center', behavior: 'instant' });
      }
      const stop = (animation) => {
        // An animation with a scroll timeline depends on the scroll position only.
        if (animation.timeline && !(animation.timeline instanceof DocumentTimeline)) return false;
        const timing = animation.effect?.getComputedTiming();
        if (!timing || timing.endTime === Infinity || animation.playbackRate === 0) animation.cancel();
        else if (animation.playState !== 'finished') animation.finish();
        else return false;
        return true;
      };
      if (isMain && frames.length > 0) {
        // The browser draws a frame of another origin after it has found the frame in the window.
        await visiblePart();
        await drawing();
        await drawing();
      }
      if (!animates) {
        // The page does not see that this plays and pauses its videos.
        for (const name of ['play', 'playing', 'pause']) addEventListener(name, (event) => event.stopImmediatePropagation(), true);
        const videos = roots.flatMap((root) => [...root.querySelectorAll('video')]);
        await Promise.all(videos.map(async (video) => {
          video.defaultPlaybackRate = video.playbackRate = 0;
          while (video.networkState === video.NETWORK_LOADING && video.readyState < 2) await drawing();
          // Any other video shows its poster, or where a script has put it.
          if (video.played.length === 0) return;
          // The browser drops a picture that comes while it shows another one, and may not draw a paused video again. So the video
          // plays at no speed, and the last picture comes some frames after the others.
          video.play().catch(() => {});
          for (let step = 0; step < 3; step += 1) {
            video.currentTime = 0;
            while (video.seeking) await new Promise((resolve) => video.addEventListener('seeked', resolve, { once: true }));
            await drawing();
            await drawing();
          }
          video.pause();
        }));
        // The end of an animation may start another one, which is stopped too, in up to ten rounds. Scripts receive the end
        // with the next frame.
        const needed = isMain && !isInert ? 2 : 1;
        for (let round = 0, still = 0; round < 10; round += 1) {
          const animations = roots.flatMap((root) => root.getAnimations());
          still = animations.filter(stop).length === 0 ? still + 1 : 0;
          if (still === needed) break;
          await drawing();
        }
      }
    """

  /// Returns the number of CSS pixels that the tallest scroll container hides, if the page itself does not scroll.
  static let hiddenHeight = """
    () => {
      const page = document.scrollingElement;
      if (!page || page.scrollHeight > innerHeight) return 0;
      const hidden = [...document.querySelectorAll('body *')]
        .filter((element) => element.scrollHeight > element.clientHeight && element.clientHeight >= innerHeight / 3
          && ['auto', 'scroll'].includes(getComputedStyle(element).overflowY))
        .map((element) => element.scrollHeight - element.clientHeight);
      return Math.max(0, ...hidden);
    }
    """

  /// Returns the height of a page with a frame of another origin, and the heights of its elements; `null` without such a frame.
  static let framedHeights = """
    () => {
      if ([...document.querySelectorAll('iframe')].every((frame) => frame.contentDocument)) return null;
      const page = document.scrollingElement ?? document.documentElement;
      return [page.scrollHeight, ...[...document.querySelectorAll('body *')].map((element) => element.offsetHeight)];
    }
    """

  /// Returns up to five characters that no font of the page has.
  ///
  /// The browser draws the same box for a character without a glyph as for one that Unicode does not assign.
  static let missingCharacters = #"""
    () => {
      const pen = new OffscreenCanvas(40, 40).getContext('2d', { willReadFrequently: true });
      const drawn = (character, family) => {
        pen.clearRect(0, 0, 40, 40);
        pen.font = `20px ${family}`;
        pen.fillText(character, 5, 30);
        return pen.getImageData(0, 0, 40, 40).data.join();
      };
      const [missing, tested] = [new Set(), new Set()];
      const walker = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node && missing.size < 5 && tested.size < 500; node = walker.nextNode()) {
        const characters = node.data.match(/[^\u0000-\u024f\u2000-\u206f]/gu);
        if (!characters || !node.parentElement?.checkVisibility()) continue;
        const family = getComputedStyle(node.parentElement).fontFamily;
        for (const character of new Set(characters)) {
          if (tested.has(character + family)) continue;
          tested.add(character + family);
          if (drawn(character, family) === drawn('\u{10fffe}', family)) missing.add(character);
        }
      }
      return [...missing].slice(0, 5);
    }
    """#

  /// Resolves with the next frame.
  static let frame = "() => new Promise((resolve) => requestAnimationFrame(resolve)).then(() => true)"

  static let text = """
    () => (document.body ?? document.documentElement)?.innerText?.split('\\n').map((line) => line.trimEnd()).join('\\n').trim() ?? ''
    """
}
