import type { ReactNode } from 'react'
import { type Deferred, useDeferred } from '../ui/deferred.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'

interface DeferredPartProps<Module> {
  module: Deferred<Module>
  isNeeded: boolean
  /** After a failed load, a change of it tries again; without it, a change of `isNeeded`. */
  retryKey?: unknown
  children: (loaded: Module) => ReactNode
}

/** A part of the page whose code is loaded when it is needed. Empty until then, and if the code can't be loaded. */
export function DeferredPart<Module>(props: DeferredPartProps<Module>) {
  return (
    <ErrorBoundary retryKey={props.retryKey ?? props.isNeeded} fallback={() => null}>
      <Loaded {...props} />
    </ErrorBoundary>
  )
}

function Loaded<Module>({ module, isNeeded, children }: DeferredPartProps<Module>) {
  const loaded = useDeferred(module, isNeeded)
  return loaded !== null && children(loaded)
}
