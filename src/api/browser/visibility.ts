export function watchVisibility(onChange: (hidden: boolean) => void): () => void {
  const tell = () => onChange(document.visibilityState === 'hidden')
  document.addEventListener('visibilitychange', tell)
  return () => document.removeEventListener('visibilitychange', tell)
}
