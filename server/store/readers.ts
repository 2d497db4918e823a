import type { Connection } from './connection.ts'

const maxReaders = 4

/** Connections for reading, so that slow reads delay no writes, and other reads only when all connections are busy. */
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
