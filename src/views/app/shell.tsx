import { type ReactNode, useEffect, useState } from 'react'
import { loadMessages } from '../../i18n/i18n.ts'

type Shell = (props: { children: ReactNode }) => ReactNode

const loaded: { Shell: Shell | null } = { Shell: null }

export async function loadShell(): Promise<Shell> {
  const [{ Shell }] = await Promise.all([import('../shell/Shell.tsx'), loadMessages('shell')])
  loaded.Shell = Shell
  return Shell
}

/** Not React's `lazy`, which keeps its fallback for 300 ms even if the code is loaded. */
export function LoadedShell({ children }: { children: ReactNode }) {
  const [{ Shell, error }, setResult] = useState<{ Shell: Shell | null; error?: unknown }>({ Shell: loaded.Shell })
  useEffect(() => {
    if (Shell !== null) return
    void loadShell().then(
      (Loaded) => setResult({ Shell: Loaded }),
      (failure: unknown) => setResult({ Shell: null, error: failure }),
    )
  }, [Shell])
  if (error !== undefined) throw error
  return Shell === null ? null : <Shell>{children}</Shell>
}
