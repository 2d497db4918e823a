/**
 * The oldest browsers that the console is built for: with public/browser-check.js and README.md, which have the same.
 */
export const oldest = { chrome: '122', edge: '122', firefox: '127', safari: '17.4', safari_ios: '17.4' } as const

export const target = [
  `chrome${oldest.chrome}`,
  `edge${oldest.edge}`,
  `firefox${oldest.firefox}`,
  `safari${oldest.safari}`,
  `ios${oldest.safari_ios}`,
]
