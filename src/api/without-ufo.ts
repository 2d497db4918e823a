const refuse = (): never => {
  throw new TypeError('ofetch gets complete URLs (src/api/call.ts)')
}

/** A build replaces the package ufo with this module: ofetch uses ufo only for its options `baseURL` and `query`. */
export { refuse as withBase, refuse as withQuery }
