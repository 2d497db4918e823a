import type { Theme } from '../machines/app/app.events.ts'

const systemIsLight = () => globalThis.matchMedia('(prefers-color-scheme: light)')

/** Sets the theme on the document; `system` follows the system. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme === 'system' ? (systemIsLight().matches ? 'light' : 'dark') : theme
}

export function watchSystemTheme(onChange: () => void): void {
  systemIsLight().addEventListener('change', onChange)
}
