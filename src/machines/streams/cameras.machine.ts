import { resourceMachineOf } from '../resource/resource.machine.ts'

export interface Camera {
  readonly uid: string
  readonly name: string
}

/** The names of all cameras, for filters and selections. */
export const camerasMachine = resourceMachineOf<readonly Camera[], null>({ pollMs: null, queryOf: () => null })
