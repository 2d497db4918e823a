import { flushSync } from 'react-dom'
import { createRoot, hydrateRoot } from 'react-dom/client'
import type { ReactNode } from 'react'
import { i18n } from '../../i18n/i18n.ts'
import { type AppRef, selectPage, selectPageState, selectRoute } from '../../machines/app/app.selectors.ts'
import { readyEvent } from './ready.ts'

const isSettled = (app: AppRef): boolean =>
  !['booting', 'busy'].includes(selectPageState(app.getSnapshot())) && i18n.locale === document.documentElement.lang

const isSignIn = (app: AppRef): boolean => {
  const snapshot = app.getSnapshot()
  return selectRoute(snapshot).name === 'auth' && selectPageState(snapshot) === 'active'
}

function typedIn(root: HTMLElement): { login: string; password: string } {
  const valueOf = (name: string) => root.querySelector<HTMLInputElement>(`[name="${name}"]`)?.value ?? ''
  return { login: valueOf('login'), password: valueOf('password') }
}

/** The field with the focus and its selection, for a page that has to be rendered anew. */
function focusIn(root: HTMLElement): () => void {
  const field = document.activeElement
  if (!(field instanceof HTMLInputElement) || !root.contains(field)) return () => undefined
  const { name, selectionStart, selectionEnd } = field
  return () => {
    const same = root.querySelector<HTMLInputElement>(`[name="${name}"]`)
    same?.focus()
    same?.setSelectionRange(selectionStart, selectionEnd)
  }
}

/**
 * Renders the console where the document shows the sign-in page already (early.ts): once it is known that this is the
 * page, React adopts it, with what was typed and the focus; else the page goes. In one task, so that no key is lost
 * between.
 */
export function takeOver(root: HTMLElement, app: AppRef, tree: ReactNode): void {
  const take = () => {
    if (!isSettled(app)) return
    subscription.unsubscribe()
    stopListening()
    const isPage = isSignIn(app)
    const isSame = isPage && app.getSnapshot().context.hasSettings && i18n.locale === root.dataset['language']
    const typed = typedIn(root)
    const refocus = focusIn(root)
    if (isPage && (typed.login !== '' || typed.password !== ''))
      selectPage(app.getSnapshot())?.send({ type: 'credentials.edited', ...typed })
    /** Of a submit that waits: React finds the page as it renders it. */
    root.querySelector('[aria-busy]')?.removeAttribute('aria-busy')
    flushSync(() => render(isSame))
    if (isPage && !isSame) refocus()
    /** React hasn't seen which of its elements got the focus. */
    if (isSame) document.activeElement?.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
    root.dispatchEvent(new CustomEvent(readyEvent, { detail: isPage }))
  }
  const render = (isSame: boolean): void => {
    if (isSame) return void hydrateRoot(root, tree)
    root.replaceChildren()
    return createRoot(root).render(tree)
  }
  const subscription = app.subscribe(take)
  const stopListening = i18n.on('change', take)
  take()
}
