extension Scripts {
  /// Brings a frame into the state that a picture is taken of, and says where in it is what the picture is about.
  ///
  /// After its options it takes the shadow trees that a script cannot find: closed ones, and the browser's own. It says
  ///
  /// - `elements`: how many elements there are in the trees that it knows, and pieces of text with a `<`, as a search for that
  ///   character counts them: fewer than the browser says when there are closed trees,
  /// - `hasInside`: whether there is an element whose own tree moves,
  /// - `area`: the rectangle that the picture is to have, `null` if it is not in this frame, or `missing` with a reason,
  /// - `masks`: the rectangles of what is to be covered,
  /// - `window`: the size of what the frame shows, and how far it is scrolled.
  static let preparing = """
    async ({ awaitsFonts, animates, isInert, isWhole, selector, masks, isMain }, ...closed) => {
      const page = (name) => Reflect.get(Document.prototype, name, document);
      if (awaitsFonts) await page('fonts').ready;
      const top = page('documentElement');
      const drawing = () => new Promise((resolve) => requestAnimationFrame(resolve));
      // What was shown before is there until a frame without it is drawn.
      if (!top && isMain) for (let frame = 0; frame < 2; frame += 1) await drawing();
      if (!top) return { elements: 0, hasInside: false, area: null, masks: [], window: { x: 0, y: 0, width: 1, height: 1 } };
      const all = (root, selector) => root === document
        ? Document.prototype.querySelectorAll.call(document, selector) : root.querySelectorAll(selector);
      \(trees)
      \(stilling)
      \(places)
      const covered = () => masks.flatMap((mask) => roots.flatMap((root) => [...all(root, mask)])).map((element) => shown(element))
        .filter((box) => box.width > 0 && box.height > 0);
      const rectangle = area();
      return { elements, hasInside, area: rectangle, masks: covered(), window: { ...position(), width: innerWidth, height: innerHeight } };
    }
    """

  /// Finds the trees of the document, and counts what is in them.
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
      const hasInside = inside.length > 0;
    """

  /// Loads what is loaded lazily, waits for pictures, hides the caret, and brings what moves to a stand.
  private static let stilling = """
    if (isWhole) for (const root of roots) for (const lazy of all(root, '[loading=lazy]')) lazy.loading = 'eager';
      // A lazy picture that is out of sight is not loaded, and would be waited for in vain.
      const isAwaited = (image) => {
        if (image.loading !== 'lazy' || image.complete) return true;
        const { top, bottom, left, right } = image.getBoundingClientRect();
        return bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
      };
      const images = roots.flatMap((root) => [...all(root, 'img')]).filter((image) => image instanceof HTMLImageElement);
      await Promise.all(images.filter(isAwaited).map((image) => image.decode().catch(() => {})));
      // A layer, since what is important in one beats what is important outside of all, whatever its selector.
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
        // What is focused by itself is so only when a frame is drawn.
        for (const element of [focused, ...all(root, '[autofocus]')]) {
          if (element && getComputedStyle(element).caretColor !== 'rgba(0, 0, 0, 0)') {
            element.style?.setProperty('caret-color', 'transparent', 'important');
          }
        }
      }
      const stop = (animation) => {
        // One that goes with scrolling does not move by itself.
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
        // Which begins to move with the second frame.
        const hasMarquee = inside.some(({ localName }) => localName === 'marquee');
        for (let frame = 0; hasMarquee && frame < 3; frame += 1) await drawing();
        // What begins when another one ends comes to its end as well, but not for ever. Scripts hear of an end when the next
        // frame is drawn: so what has just ended by itself may be followed by something. Frames within the page need not draw.
        const hasScripts = isMain && !isInert;
        for (let round = 0, isCalm = !hasScripts; round < 10; round += 1) {
          const animations = roots.flatMap((root) =>
            root === document ? Document.prototype.getAnimations.call(document) : root.getAnimations());
          const isStill = animations.filter(stop).length === 0;
          if (isStill && isCalm) break;
          isCalm = isStill || !hasScripts;
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
