/** Has the browser ask before it closes or reloads the page, until the returned function is called. */
export function warnBeforeClosing(): () => void {
  const onBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault()
  globalThis.addEventListener('beforeunload', onBeforeUnload)
  return () => globalThis.removeEventListener('beforeunload', onBeforeUnload)
}
