/**
 * Hides transition events from React Aria: it would keep an element that is removed during several transitions in
 * memory, and with the element its page.
 */
export const stopTransitionEvents = (): void =>
  addEventListener('transitionrun', (event) => event.stopPropagation(), { capture: true })
