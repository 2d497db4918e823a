import { resourceMachineOf } from '../resource/resource.machine.ts'

export interface Camera {
  readonly uid: string
  readonly name: string
}

/** The names of all cameras, to choose from. */
export const camerasMachine = resourceMachineOf<readonly Camera[], null>({ pollMs: null, queryOf: () => null })
