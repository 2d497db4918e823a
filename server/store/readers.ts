import type { Connection } from './connection.ts'

const maxReaders = 4

/** Reads have connections of their own: a slow one stops no writes and, up to four of them, no other reads. */
export const createReaders = (connect: () => Connection) => {
  let readers: Connection[] = []
  return {
    next: (): Connection => {
      readers = readers.filter((reader) => reader.isOpen())
      const [first, ...others] = readers
      const idlest = others.reduce((best, each) => (best && best.pending() <= each.pending() ? best : each), first)
      if (idlest !== undefined && (idlest.pending() === 0 || readers.length >= maxReaders)) return idlest
      const added = connect()
      readers.push(added)
      return added
    },
    close: async () => {
      await Promise.all(readers.map((reader) => reader.close()))
    },
  }
}
