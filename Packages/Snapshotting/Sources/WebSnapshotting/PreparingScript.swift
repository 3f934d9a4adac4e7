extension Scripts {
  /// Prepares a frame for its image: everything is rendered and at rest, and masks cover their elements.
  ///
  /// Returns the indices of the masks that match an element.
  static let preparing = """
    async ({ animates, isInert, isWhole, masks, isMain, styles }) => {
      const drawing = () => new Promise((resolve) => requestAnimationFrame(resolve));
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
      // An important rule in a layer overrides important rules outside of layers, whatever their selectors.
      const rules = '*, ::before, ::after { caret-color: transparent !important }' + (animates ? ''
        : ' progress:indeterminate { appearance: none !important }'
          + ' progress:indeterminate::-webkit-progress-bar { background: #efefef; border-radius: 1em }')
        + masks.map((mask) => `${mask} { filter: url(#web-snapshotting-mask) !important }`).join(' ');
      globalThis.sheet ??= new CSSStyleSheet();
      if (sheet.cssRules.length === 0) sheet.replaceSync(`@layer { ${rules} } ${styles}`);
      for (const root of roots) {
        if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
        if (!masks.some((mask) => root.querySelector(mask)) || root.getElementById('web-snapshotting-mask')) continue;
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

  /// Loads lazy images, waits for images, and stops animations and videos.
  private static let stopping = """
    if (isWhole) for (const root of roots) for (const lazy of root.querySelectorAll('[loading=lazy]')) lazy.loading = 'eager';
      // The browser does not load a lazy image outside of the window.
      const isAwaited = (image) => {
        if (image.loading !== 'lazy' || image.complete) return true;
        const { top, bottom, left, right } = image.getBoundingClientRect();
        return bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
      };
      const images = roots.flatMap((root) => [...root.querySelectorAll('img')]);
      await Promise.all(images.filter(isAwaited).map((image) => image.decode().catch(() => {})));
      const stop = (animation) => {
        // An animation with a scroll timeline depends on the scroll position only.
        if (animation.timeline && !(animation.timeline instanceof DocumentTimeline)) return false;
        const timing = animation.effect?.getComputedTiming();
        if (!timing || timing.endTime === Infinity || animation.playbackRate === 0) animation.cancel();
        else if (animation.playState !== 'finished') animation.finish();
        else return false;
        return true;
      };
      if (!animates) {
        // The end of an animation may start another one, which is stopped too, in up to ten rounds. Scripts receive the end
        // with the next frame. Hidden frames have no size, and draw nothing.
        const needed = innerWidth > 0 && isMain && !isInert ? 2 : 1;
        for (let round = 0, still = 0; round < 10; round += 1) {
          const animations = roots.flatMap((root) => root.getAnimations());
          still = animations.filter(stop).length === 0 ? still + 1 : 0;
          if (still === needed) break;
          await drawing();
        }
        await Promise.all(roots.flatMap((root) => [...root.querySelectorAll('video')]).map((video) => new Promise((resolve) => {
          video.pause();
          if (video.currentTime === 0) return resolve();
          for (const name of ['seeked', 'error']) video.addEventListener(name, resolve, { once: true });
          video.currentTime = 0;
        })));
      }
    """
}
