import { fromCallback } from 'xstate'

const delayMs = 30_000

/** Registers the service worker once per page load, half a minute after a user is first known. */
export const registerServiceWorker = fromCallback<{ type: 'user.switched' }>(({ receive }) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  receive(() => {
    if (import.meta.env.MODE !== 'production') return
    timer ??= setTimeout(() => {
      void import('./extras.ts').then((extras) => extras.registerServiceWorker()).catch(() => null)
    }, delayMs)
  })
  return () => clearTimeout(timer)
})
