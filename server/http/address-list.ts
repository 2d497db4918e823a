import { BlockList, isIP, isIPv6 } from 'node:net'

export type AddressList = { has: (ip: string) => boolean }

const familyOf = (ip: string): 'ipv4' | 'ipv6' => (isIPv6(ip) ? 'ipv6' : 'ipv4')

/** Addresses and networks (`10.0.0.0/8`, `::1`) separated by commas. Throws an error to show to the operator. */
export const addressListOf = (text: string): AddressList => {
  const list = new BlockList()
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  for (const name of names) {
    const [, ip = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(name) ?? []
    const bits = length === undefined ? undefined : Number(length)
    if (isIP(ip) === 0 || (bits ?? 0) > (isIPv6(ip) ? 128 : 32)) {
      throw new Error(`"${name}" is not an address or a network like 10.0.0.0/8`)
    }
    if (bits === undefined) list.addAddress(ip, familyOf(ip))
    else list.addSubnet(ip, bits, familyOf(ip))
  }
  return { has: (ip) => isIP(ip) !== 0 && list.check(ip, familyOf(ip)) }
}
