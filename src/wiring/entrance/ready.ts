/** Dispatched to `#root` once the console is rendered there; `detail`: whether it shows the sign-in page. */
export const readyEvent = 'console-ready'
