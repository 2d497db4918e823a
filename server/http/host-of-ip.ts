import { isIPv6 } from 'node:net'

/** Longer than any address; a proxy may forward any text. */
const maxAddressLength = 100

/** The host of an IP address: an IPv4 address, or the /64 prefix of an IPv6 address. Other text stays as it is. */
export const hostOfIp = (ip: string): string => {
  if (ip.startsWith('::ffff:')) return ip.slice(7, maxAddressLength)
  if (!isIPv6(ip)) return ip.slice(0, maxAddressLength)
  const [head = '', tail] = ip.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups =
    tail === undefined ? left : [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
