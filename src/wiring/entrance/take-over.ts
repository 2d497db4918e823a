import { flushSync } from 'react-dom'
import { createRoot, hydrateRoot } from 'react-dom/client'
import type { ReactNode } from 'react'
import { i18n } from '../../i18n/i18n.ts'
import { type AppRef, selectPage, selectPageState, selectRoute } from '../../machines/app/app.selectors.ts'
import { readyEvent } from './ready.ts'

/** After this long the console doesn't wait for its language any more, if it has the messages of another one. */
const languageWaitMs = 10_000

/** The root machine knows which page to show, and the messages of its language are loaded. */
const isSettled = (app: AppRef, waitsForLanguage: boolean): boolean =>
  !['booting', 'busy'].includes(selectPageState(app.getSnapshot())) &&
  (i18n.locale === document.documentElement.lang || (!waitsForLanguage && i18n.locale !== ''))

const isSignIn = (app: AppRef): boolean => {
  const snapshot = app.getSnapshot()
  return selectRoute(snapshot).name === 'auth' && selectPageState(snapshot) === 'active'
}

/** The document never has prefilled fields: with them, the settings have changed since it was sent. */
const isAsShown = (app: AppRef): boolean => {
  const { hasSettings, settings } = app.getSnapshot().context
  return hasSettings && settings.kioskPrefillUser === '' && settings.kioskPrefillPassword === ''
}

function typedIn(root: HTMLElement): { login: string; password: string } {
  const valueOf = (name: string) => root.querySelector<HTMLInputElement>(`[name="${name}"]`)?.value ?? ''
  return { login: valueOf('login'), password: valueOf('password') }
}

/** Remembers the field with the focus and its selection; the result restores both after a new rendering. */
function rememberFocus(root: HTMLElement): () => void {
  const field = document.activeElement
  if (!(field instanceof HTMLInputElement) || !root.contains(field)) return () => undefined
  const { name, selectionStart, selectionEnd } = field
  return () => {
    const newField = root.querySelector<HTMLInputElement>(`[name="${name}"]`)
    newField?.focus()
    newField?.setSelectionRange(selectionStart, selectionEnd)
  }
}

/**
 * Renders the console where the document shows the sign-in page already (early.ts). Waits until the console knows its
 * page. If that is the sign-in page as shown, React hydrates it; if it differs, it is rendered anew with the same input
 * and focus; any other page replaces it. All of this happens in one task, so that no key press is lost.
 */
export function takeOver(root: HTMLElement, app: AppRef, tree: ReactNode): void {
  let waitsForLanguage = true
  const timer = setTimeout(() => {
    waitsForLanguage = false
    tryTakeOver()
  }, languageWaitMs)
  const tryTakeOver = () => {
    if (!isSettled(app, waitsForLanguage)) return
    clearTimeout(timer)
    subscription.unsubscribe()
    stopListening()
    const isSignInPage = isSignIn(app)
    const canHydrate = isSignInPage && isAsShown(app) && i18n.locale === root.dataset['language']
    const typed = typedIn(root)
    const restoreFocus = rememberFocus(root)
    if (isSignInPage && (typed.login !== '' || typed.password !== ''))
      selectPage(app.getSnapshot())?.send({ type: 'credentials.edited', ...typed })
    /** An early submit has set it (early.ts), and React hydrates only what it would render itself. */
    root.querySelector('[aria-busy]')?.removeAttribute('aria-busy')
    flushSync(() => render(canHydrate))
    if (isSignInPage && !canHydrate) restoreFocus()
    /** Lets React know which element has the focus, as it got it before React listened. */
    if (canHydrate) document.activeElement?.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
    root.dispatchEvent(new CustomEvent(readyEvent, { detail: isSignInPage }))
  }
  const render = (canHydrate: boolean): void => {
    if (canHydrate) return void hydrateRoot(root, tree)
    root.replaceChildren()
    return createRoot(root).render(tree)
  }
  const subscription = app.subscribe(tryTakeOver)
  const stopListening = i18n.on('change', tryTakeOver)
  tryTakeOver()
}
