/** The colours for canvases: tokens of src/views/theme, which are system colours if colours are forced. */
export type CanvasColours = {
  readonly canvas: string
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

export function readColours(element: Element): CanvasColours {
  const style = getComputedStyle(element)
  const token = (name: string) => style.getPropertyValue(name).trim()
  return {
    canvas: token('--canvas'),
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

/** Reports that colours or fonts may have changed: theme, colour scheme, forced colours, a font that was loaded. */
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
