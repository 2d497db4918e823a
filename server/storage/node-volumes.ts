import type { Cluster } from '../cluster/cluster.ts'
import { StorageAway, type ChunkStorage, type Range } from './chunk-storage.ts'
import type { KnownVolume } from './volume-list.ts'
import type { NodeVolumeRow, VolumeRows } from './volume-rows.ts'
import { NoVolume } from './write-target.ts'

/**
 * Reads a chunk, or a part of it, on a disk of another node through that node. Rejects with ENOENT if there is no such
 * file, `StorageAway` if the node doesn't answer, another error if it can't read the file.
 */
export type NodeReader = (
  nodeId: string,
  chunk: { volume: number; uid: string; file: string },
  range: Range,
  signal?: AbortSignal,
) => Promise<Buffer>

export type SharingCluster = Pick<Cluster, 'nodeId' | 'isAvailable' | 'isLeader'>

/** The folders of the other nodes of a cluster, whose chunks are read through these. */
export const createNodeVolumes = (rows: VolumeRows, cluster: SharingCluster) => {
  let known: ReadonlyMap<number, NodeVolumeRow> = new Map()
  let reader: NodeReader | undefined

  const isOther = ({ node }: NodeVolumeRow): boolean => node !== cluster.nodeId
  const read = async (): Promise<ReadonlyMap<number, NodeVolumeRow>> => {
    known = new Map((await rows.ofNodes()).map((row) => [row.id, row]))
    return known
  }

  const storageOf = (volume: number): ChunkStorage => {
    const refuse = async (): Promise<never> => {
      throw new NoVolume(`Volume ${volume} is on another node`)
    }
    return {
      read: async (uid, file, range, { signal } = {}) => {
        const node = (known.get(volume) ?? (await read()).get(volume))?.node
        if (node === undefined) throw new NoVolume(`There is no volume ${volume}`)
        if (reader === undefined || !cluster.isAvailable(node)) throw new StorageAway(`Node ${node} does not answer`)
        return reader(node, { volume, uid, file }, range, signal)
      },
      withFile: refuse,
      sizeOf: refuse,
      put: refuse,
      remove: refuse,
      removeAll: refuse,
      moveToLostAndFound: refuse,
      recordings: refuse,
      hours: refuse,
      names: refuse,
    }
  }

  return {
    /**
     * Follows the rows of all nodes, this one's too. The leader marks the folders of nodes that are away. `forgotten`:
     * those of `own` that another node has removed together with this node; they have rows again.
     */
    refresh: async (
      own: readonly KnownVolume[],
    ): Promise<{ all: readonly NodeVolumeRow[]; forgotten: readonly number[] }> => {
      const before = await read()
      const forgotten = own.filter(({ id }) => !before.has(id))
      for (const volume of forgotten) await rows.adopt(volume.id, volume, cluster.nodeId)
      const all = [...(forgotten.length === 0 ? before : await read()).values()]
      const away = cluster.isLeader()
        ? all.filter((row) => isOther(row) && !row.isMissing && !cluster.isAvailable(row.node))
        : []
      for (const { id } of away) await rows.setMissing(id, true)
      return { all, forgotten: forgotten.map(({ id }) => id) }
    },
    others: (): number[] => [...known.values()].filter(isOther).map(({ id }) => id),
    isMissing: (volume: number): boolean => {
      const row = known.get(volume)
      return row !== undefined && (row.isMissing || !cluster.isAvailable(row.node))
    },
    storageOf,
    setReader: (given: NodeReader): void => {
      reader = given
    },
  }
}
