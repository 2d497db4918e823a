import { parseSource, type NetworkSource } from '../../../server/media/source.ts'

/** The source of a URL, as the server parses it. */
export const sourceAt = (address: string): NetworkSource => {
  const source = parseSource(address)
  if (typeof source === 'string' || source.kind !== 'network') throw new Error(`${address} is no source`)
  return source
}
