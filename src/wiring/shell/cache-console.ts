import { fromCallback } from 'xstate'

const restMs = 30_000

/** Has the browser keep the console, once in a visit, half a minute after somebody is here first. */
export const cacheConsole = fromCallback<{ type: 'viewer.changed' }>(({ receive }) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  receive(() => {
    if (import.meta.env.MODE !== 'production') return
    timer ??= setTimeout(() => {
      void import('./extras.ts').then((extras) => extras.registerServiceWorker()).catch(() => null)
    }, restMs)
  })
  return () => clearTimeout(timer)
})
