/**
 * The colours and the font of canvases: tokens of src/views/theme. If colours are forced, the style sheets of the
 * timeline and of tracks set them to system colours.
 */
export type CanvasColours = {
  readonly panel: string
  readonly raised: string
  readonly line: string
  readonly lineStrong: string
  readonly text: string
  readonly muted: string
  readonly recorded: string
  readonly gap: string
  readonly gapLine: string
  readonly live: string
  readonly event: string
  readonly annotation: string
  readonly accent: string
  readonly font: string
}

/** `element`: one inside the timeline or the tracks. */
export function readColours(element: Element): CanvasColours {
  const style = getComputedStyle(element)
  const token = (name: string) => style.getPropertyValue(name).trim()
  return {
    panel: token('--panel'),
    raised: token('--raised'),
    line: token('--line'),
    lineStrong: token('--line-strong'),
    text: token('--text'),
    muted: token('--text-muted'),
    recorded: token('--recorded'),
    gap: token('--gap'),
    gapLine: token('--gap-line'),
    live: token('--live'),
    event: token('--event'),
    annotation: token('--annotation'),
    accent: token('--accent'),
    font: style.fontFamily,
  }
}

/**
 * Reports that colours or fonts may have changed: theme, colour scheme, forced colours, a font that was loaded. Returns
 * the function that ends the watch.
 */
export function watchAppearance(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributes: true })
  const queries = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((query) => matchMedia(query))
  for (const query of queries) query.addEventListener('change', onChange)
  document.fonts.addEventListener('loadingdone', onChange)
  return () => {
    observer.disconnect()
    for (const query of queries) query.removeEventListener('change', onChange)
    document.fonts.removeEventListener('loadingdone', onChange)
  }
}
