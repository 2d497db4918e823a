/** The oldest supported browsers; the same as in public/browser-check.js and README.md. */
export const oldest = { chrome: '122', edge: '122', firefox: '127', safari: '17.4', safari_ios: '17.4' } as const

export const target = [
  `chrome${oldest.chrome}`,
  `edge${oldest.edge}`,
  `firefox${oldest.firefox}`,
  `safari${oldest.safari}`,
  `ios${oldest.safari_ios}`,
]
