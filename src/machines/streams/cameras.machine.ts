import { resourceMachineOf } from '../resource/resource.machine.ts'

export interface Camera {
  readonly uid: string
  readonly name: string
}

export interface CameraList {
  /** Sorted by name; fewer than `total` where there are very many. */
  readonly items: readonly Camera[]
  readonly total: number
}

export const noCameras: CameraList = { items: [], total: 0 }

/** The names of all cameras, for filters and selections. */
export const camerasMachine = resourceMachineOf<CameraList, null>({ pollMs: null, queryOf: () => null })
