import type { AppRef } from '../machines/app/app.selectors.ts'

/** For actors that live beside the root, as long as it does. */
function watch(app: AppRef, read: () => string | null, onChanged: () => void): void {
  let before = read()
  app.subscribe(() => {
    const now = read()
    if (now !== before) onChanged()
    before = now
  })
}

/** Tells when somebody else is here than before. */
export const watchViewer = (app: AppRef, onChanged: () => void): void => watch(app, () => app.getSnapshot().context.user?.name ?? null, onChanged)

/** Tells when the page is left for another, be it with the back button. */
export const watchPath = (app: AppRef, onChanged: () => void): void => watch(app, () => app.getSnapshot().context.address.pathname, onChanged)
