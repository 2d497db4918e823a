export function warnBeforeClosing(): () => void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault()
  globalThis.addEventListener('beforeunload', ask)
  return () => globalThis.removeEventListener('beforeunload', ask)
}
