extension Scripts {
  /// Prepares a frame for its image, and reports the places of elements.
  ///
  /// The arguments after the options are the shadow trees that scripts cannot find: closed ones, and those of the browser. The result
  /// has the members
  ///
  /// - `elements`: the number of elements in all known trees, and of texts with a `<`, as the browser's search for `<` counts them.
  ///   The browser counts more if there are hidden trees,
  /// - `hasBrowserTrees`: whether an element plays in a tree of the browser,
  /// - `area`: the rectangle of the image; `null` if it is in another frame; or `missing` with a reason,
  /// - `masks`: the covered rectangles,
  /// - `window`: the scroll position and the size of the window.
  static let preparing = """
    async ({ awaitsFonts, animates, isInert, isWhole, selector, masks, isMain }, ...closed) => {
      const page = (name) => Reflect.get(Document.prototype, name, document);
      if (awaitsFonts) await page('fonts').ready;
      const top = page('documentElement');
      const drawing = () => new Promise((resolve) => requestAnimationFrame(resolve));
      // The last image remains until the browser draws a frame of the empty document.
      if (!top && isMain) for (let frame = 0; frame < 2; frame += 1) await drawing();
      if (!top) return { elements: 0, hasBrowserTrees: false, area: null, masks: [], window: { x: 0, y: 0, width: 1, height: 1 } };
      const all = (root, selector) => root === document
        ? Document.prototype.querySelectorAll.call(document, selector) : root.querySelectorAll(selector);
      \(trees)
      \(stopping)
      \(locating)
      const rectangle = await area();
      const covered = await shown(masks.flatMap((mask) => roots.flatMap((root) => [...all(root, mask)])));
      return { elements, hasBrowserTrees, area: rectangle, masks: covered.filter((box) => !isEmpty(box)), window: { ...position(), width: innerWidth, height: innerHeight } };
    }
    """

  private static let trees = """
    const roots = [document, ...closed];
      let elements = 0;
      const inside = [];
      for (const root of roots) {
        const nodes = Document.prototype.createTreeWalker.call(document, root, NodeFilter.SHOW_ALL);
        for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
          if (node.nodeType !== 1) {
            if (typeof node.data === 'string' && node.data.includes('<')) elements += 1;
            continue;
          }
          elements += 1;
          const tree = node.shadowRoot;
          if (tree instanceof ShadowRoot && !roots.includes(tree)) roots.push(tree);
          if (['marquee', 'video', 'audio'].includes(node.localName)) inside.push(node);
        }
      }
      const hasBrowserTrees = inside.length > 0;
    """

  /// Loads lazy images, waits for images, hides the caret, and stops animations.
  private static let stopping = """
    if (isWhole) for (const root of roots) for (const lazy of all(root, '[loading=lazy]')) lazy.loading = 'eager';
      // The browser does not load a lazy image outside of the window.
      const isAwaited = (image) => {
        if (image.loading !== 'lazy' || image.complete) return true;
        const { top, bottom, left, right } = image.getBoundingClientRect();
        return bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
      };
      const images = roots.flatMap((root) => [...all(root, 'img')]).filter((image) => image instanceof HTMLImageElement);
      await Promise.all(images.filter(isAwaited).map((image) => image.decode().catch(() => {})));
      // An important rule in a layer overrides important rules outside of layers, whatever their selectors.
      const rules = '*, ::before, ::after { caret-color: transparent !important }' + (animates ? ''
        : ' progress:indeterminate { appearance: none !important }'
          + ' progress:indeterminate::-webkit-progress-bar { background: #efefef; border-radius: 1em }');
      globalThis.sheets ??= {};
      const sheet = sheets[rules] ??= new CSSStyleSheet();
      if (sheet.cssRules.length === 0) sheet.replaceSync(`@layer { ${rules} }`);
      for (const root of roots) {
        const others = root === document ? page('adoptedStyleSheets') : root.adoptedStyleSheets;
        if (others.includes(sheet)) continue;
        const kept = [...others].filter((other) => !Object.values(sheets).includes(other));
        Reflect.set(root === document ? Document.prototype : ShadowRoot.prototype, 'adoptedStyleSheets', [...kept, sheet], root);
      }
      for (const root of roots) {
        const focused = root === document ? page('activeElement') : root.activeElement;
        // An autofocus takes effect when the next frame is drawn.
        for (const element of [focused, ...all(root, '[autofocus]')]) {
          if (element && getComputedStyle(element).caretColor !== 'rgba(0, 0, 0, 0)') {
            element.style?.setProperty('caret-color', 'transparent', 'important');
          }
        }
      }
      const stop = (animation) => {
        // An animation with a scroll timeline depends on the scroll position only.
        if (animation.timeline && !(animation.timeline instanceof DocumentTimeline)) return false;
        const timing = animation.effect?.getComputedTiming();
        const target = animation.effect?.target?.getRootNode();
        const isOwn = target instanceof ShadowRoot && target.host.localName === 'marquee';
        if (!timing || isOwn || timing.endTime === Infinity || animation.playbackRate === 0) animation.cancel();
        else if (animation.playState !== 'finished') animation.finish();
        else return false;
        return true;
      };
      if (!animates) {
        // The end of an animation may start another one, which is stopped too, in up to ten rounds. Scripts receive the end with the next
        // frame. A marquee begins to move with the second frame, and has no animation for up to two frames before each repetition.
        // Hidden frames have no size, and draw nothing.
        const hasMarquee = inside.some(({ localName }) => localName === 'marquee');
        const needed = innerWidth === 0 ? 1 : hasMarquee ? 4 : isMain && !isInert ? 2 : 1;
        for (let round = 0, still = 0; round < 10; round += 1) {
          const animations = roots.flatMap((root) =>
            root === document ? Document.prototype.getAnimations.call(document) : root.getAnimations());
          still = animations.filter(stop).length === 0 ? still + 1 : 0;
          if (still === needed) break;
          await drawing();
        }
        await Promise.all(inside.filter((element) => element instanceof HTMLMediaElement).map(async (media) => {
          const { HAVE_METADATA, NETWORK_LOADING } = HTMLMediaElement;
          const happens = (...names) => Promise.race([
            ...names.map((name) => new Promise((resolve) => media.addEventListener(name, resolve, { once: true }))),
            new Promise((resolve) => setTimeout(resolve, 2000)),
          ]);
          if (media.readyState < 2 && media.networkState === NETWORK_LOADING && media.preload !== 'none') {
            await happens('loadeddata', 'error', 'emptied', 'suspend');
          }
          media.pause();
          if (media.readyState >= HAVE_METADATA && media.currentTime !== 0 && media.seekable.length > 0) {
            const isThere = happens('seeked', 'error', 'emptied');
            media.currentTime = 0;
            await isThere;
          }
        }));
      }
    """
}
