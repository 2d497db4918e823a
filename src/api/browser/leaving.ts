/** Has the browser ask before the window is closed or reloaded. Answers the function that ends it. */
export function holdWindow(): () => void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault()
  globalThis.addEventListener('beforeunload', ask)
  return () => globalThis.removeEventListener('beforeunload', ask)
}
