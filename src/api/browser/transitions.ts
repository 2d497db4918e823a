/** React Aria keeps for ever an element that is removed during several transitions, and with it the whole page. */
export const hushTransitions = (): void =>
  addEventListener('transitionrun', (event) => event.stopPropagation(), { capture: true })
