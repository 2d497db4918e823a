export function watchVisibility(onChange: (hidden: boolean) => void): () => void {
  const report = () => onChange(document.visibilityState === 'hidden')
  document.addEventListener('visibilitychange', report)
  return () => document.removeEventListener('visibilitychange', report)
}
