import type { AppRef } from '../machines/app/app.selectors.ts'

/** Tells when somebody else is here than before; for actors that live beside the root, as long as it does. */
export function watchViewer(app: AppRef, onChanged: () => void): void {
  const viewer = () => app.getSnapshot().context.user?.name ?? null
  let before = viewer()
  app.subscribe(() => {
    const now = viewer()
    if (now !== before) onChanged()
    before = now
  })
}
