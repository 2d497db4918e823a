const refuse = (): never => {
  throw new TypeError('ofetch gets whole addresses (src/api/call.ts)')
}

/** In a build they stand in for ufo, which ofetch uses for `baseURL` and `query` alone. */
export { refuse as withBase, refuse as withQuery }
