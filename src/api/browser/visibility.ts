/** Tells when the page is hidden and when it is shown again. Answers the function that ends the watch. */
export function watchVisibility(onChange: (hidden: boolean) => void): () => void {
  const tell = () => onChange(document.visibilityState === 'hidden')
  document.addEventListener('visibilitychange', tell)
  return () => document.removeEventListener('visibilitychange', tell)
}
