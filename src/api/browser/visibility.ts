/** Reports when the page is hidden or shown; at once if it opens hidden, as in a background tab. */
export function watchVisibility(onChange: (hidden: boolean) => void): () => void {
  const report = () => onChange(document.visibilityState === 'hidden')
  document.addEventListener('visibilitychange', report)
  if (document.visibilityState === 'hidden') report()
  return () => document.removeEventListener('visibilitychange', report)
}
