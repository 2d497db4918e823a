/** Sent to the root once the console is there; `detail`: whether it shows the sign-in page. */
export const readyEvent = 'console-ready'
